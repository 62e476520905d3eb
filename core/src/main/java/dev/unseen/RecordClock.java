package dev.unseen;

import dev.unseen.clock.ClockState;
import dev.unseen.clock.ClockState.Basis;
import dev.unseen.clock.SteadyClock;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.state.Counts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Determines the time at which a record counts as seen, and prevents one wrong clock from moving
 * the whole window.
 *
 * <pre>
 * a record with time t, when the latest time so far is T and it arrives at time A:
 *   t later than A + ahead, or
 *   later than T + jump:             the time is rejected, and the record cannot be checked
 *   t at most T:                     it counts as seen at t, or at T if times are those of arrival
 *   else:                            it counts as seen at t, and T becomes t
 * </pre>
 *
 * <p>An accepted time makes all keys of the window before it expire, and the records after it late:
 * so a time is checked before it is accepted. If the arrival clock was wrong nevertheless, the
 * latest time is set back. Safe for use by many threads.
 */
final class RecordClock {
  private static final Duration DEFAULT_AHEAD = Duration.ofDays(1);

  private final InstantSource arrival;
  private final Basis basis;
  private final long windowMillis;
  private final long maxAhead; // milliseconds after the arrival
  private final long maxJump; // milliseconds after the latest time
  private final AtomicLong latest;
  private final @Nullable SteadyClock steady; // the arrival clock if it counts its jumps, else null
  private final long jumpsBefore;
  private final AtomicLong setBacks = new AtomicLong(); // of an arrival clock that counts none
  private volatile long jumpsSeen;
  private volatile long jumpedAt = ClockState.NEVER;
  private final LongAdder rejected = new LongAdder();
  private volatile long plausibleUntil =
      ClockState.NEVER; // for the latest arrival time that was read

  /** Creates a clock that continues from a saved one. */
  RecordClock(Window window, GateConfig config, InstantSource arrival, ClockState before) {
    boolean eventTime = config.is(Option.EVENT_TIME);
    this.basis = !window.isTime() ? Basis.NONE : eventTime ? Basis.EVENT : Basis.ARRIVAL;
    this.arrival = arrival;
    this.windowMillis = window.length();
    this.steady = isNeeded() && arrival instanceof SteadyClock clock ? clock : null;
    this.jumpsBefore = steady == null ? 0 : steady.jumps();
    this.maxAhead = config.get(Option.MAX_TIME_AHEAD, DEFAULT_AHEAD).toMillis();
    this.maxJump = config.get(Option.MAX_TIME_JUMP).map(Duration::toMillis).orElse(Long.MAX_VALUE);
    this.latest = new AtomicLong(before.latest());
    rejected.add(before.rejected());
  }

  boolean isNeeded() {
    return basis != Basis.NONE;
  }

  boolean isEventTime() {
    return basis == Basis.EVENT;
  }

  long now() {
    return arrival.millis();
  }

  /**
   * Accepts the present time. Returns false if the arrival clock was set back, and the latest time
   * with it.
   */
  boolean arrive(long now) {
    long before = latest.get();
    if (now > before) {
      latest.accumulateAndGet(now, Math::max);
    } else if (isFurther(now, before, SteadyClock.TOLERANCE_MILLIS)
        && latest.compareAndSet(before, now)) {
      setBacks.incrementAndGet();
      return false;
    }
    return true;
  }

  /** Returns the time of a record, or {@link DuplicateFilter#UNKNOWN} if it is rejected. */
  long accept(long millis) {
    long time = peek(millis);
    if (time == DuplicateFilter.UNKNOWN) {
      rejected.increment();
    } else if (time > latest.get()) {
      latest.accumulateAndGet(time, Math::max);
    }
    return time;
  }

  long peek(long millis) {
    long before = latest.get();
    if (millis > before) {
      return isPlausible(millis, before) ? millis : DuplicateFilter.UNKNOWN;
    }
    return isEventTime() ? millis : before;
  }

  private boolean isPlausible(long millis, long before) {
    if (before != ClockState.NEVER && isFurther(before, millis, maxJump)) {
      return false;
    }
    if (millis > plausibleUntil) {
      long now = arrival.millis();
      plausibleUntil = now + Math.min(maxAhead, Long.MAX_VALUE - Math.max(0, now));
    }
    return millis <= plausibleUntil;
  }

  /** Returns whether a time is later than another by more than this, also if that overflows. */
  private static boolean isFurther(long from, long to, long distance) {
    return Long.compareUnsigned(to - from, distance) > 0;
  }

  /** Returns how often the clock has jumped since this object was created. */
  long jumps() {
    return steady == null ? setBacks.get() : steady.jumps() - jumpsBefore;
  }

  /** Returns whether the clock has jumped since the last call. */
  boolean hasJumped() {
    long now = jumps();
    if (now == jumpsSeen) {
      return false;
    }
    jumpsSeen = now;
    jumpedAt = arrival.millis();
    return true;
  }

  /** Returns whether the clock has jumped less than a window ago. */
  boolean hasJumpedLately() {
    return jumpedAt != ClockState.NEVER && arrival.millis() - jumpedAt < windowMillis;
  }

  /** Returns whether a latest time is later than any that this clock would accept now. */
  boolean isAhead(long time) {
    long ahead = SteadyClock.TOLERANCE_MILLIS + (isEventTime() ? maxAhead : 0);
    long now = arrival.millis();
    return isNeeded() && time > now && isFurther(now, time, ahead);
  }

  /** Sets the latest time back to the present, because the clock that it came from was wrong. */
  void setBack() {
    latest.set(arrival.millis());
  }

  long latest() {
    return latest.get();
  }

  long rejected() {
    return rejected.sum();
  }

  ClockState state() {
    return isNeeded()
        ? new ClockState(basis, latest.get(), Math.min(rejected(), Counts.MOST))
        : ClockState.NONE;
  }

  void clear() {
    latest.set(ClockState.NEVER);
    rejected.reset();
  }

  void join(RecordClock other) {
    long time = other.latest.get();
    latest.accumulateAndGet(isAhead(time) ? arrival.millis() : time, Math::max);
    rejected.add(other.rejected());
  }
}
