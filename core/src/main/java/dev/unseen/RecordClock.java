package dev.unseen;

import dev.unseen.filter.Window;
import dev.unseen.snapshot.ClockState;
import dev.unseen.snapshot.ClockState.Basis;
import dev.unseen.state.Counts;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Determines the time at which a record counts as seen, and prevents one wrong clock from moving
 * the whole window.
 *
 * <pre>
 * a record with time t, when the latest time so far is T and it arrives at time A:
 *   t later than A + ahead, or
 *   later than T + jump:             the time is rejected, and the record counts as seen at T
 *   t at most T:                     it counts as seen at t if the window allows late records, else
 *                                    at T
 *   else:                            it counts as seen at t, and T becomes t
 * </pre>
 *
 * <p>A time that was accepted cannot be taken back: all keys of the window before it would be
 * forgotten, and all records after it would be late. Safe for use by many threads.
 */
final class RecordClock {
  private final InstantSource arrival;
  private final Window window;
  private final Basis basis;
  private final long maxAhead;
  private final long maxJump;
  private final long step; // of the window
  private final boolean allowsLate; // whether the filter compares late records by their own time
  private final AtomicLong latest;
  private final LongAdder late = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private volatile long plausibleUntil =
      ClockState.NEVER; // for the latest arrival time that was read

  /**
   * Creates a clock that continues from a saved one.
   *
   * @param maxAhead milliseconds by which a time may be later than the arrival of its record
   * @param maxJump milliseconds by which a time may be later than the latest time before it
   */
  RecordClock(
      Window window,
      boolean eventTime,
      InstantSource arrival,
      long maxAhead,
      long maxJump,
      ClockState before) {
    this.window = window;
    this.basis = !window.isTime() ? Basis.UNKNOWN : eventTime ? Basis.EVENT : Basis.ARRIVAL;
    this.arrival = arrival;
    this.maxAhead = maxAhead;
    this.maxJump = maxJump;
    this.step = window.length() / Window.STEPS;
    this.allowsLate = window.lateness() > 0;
    this.latest = new AtomicLong(before.latest());
    late.add(before.late());
    rejected.add(before.rejected());
  }

  /** Returns whether there is a window of time, so that times matter. */
  boolean isNeeded() {
    return basis != Basis.UNKNOWN;
  }

  /** Returns whether the times come with the records. */
  boolean isEventTime() {
    return basis == Basis.EVENT;
  }

  /** Returns the time of a record that arrives now. */
  long now() {
    return arrival.millis();
  }

  /**
   * Accepts or rejects the time of a record. Returns the time at which the record counts as seen,
   * or {@link ClockState#NEVER} if no time is known yet.
   */
  long accept(long millis) {
    long before = latest.get();
    if (millis <= before) {
      if (allowsLate) {
        return millis;
      }
      if (isFurther(millis, before, step) && isEventTime()) {
        late.increment();
      }
      return before;
    }
    if (!isPlausible(millis, before)) {
      rejected.increment();
      return before;
    }
    long latestNow = latest.accumulateAndGet(millis, Math::max);
    return allowsLate ? millis : latestNow;
  }

  /** Returns the value that {@link #accept} would return. Changes nothing. */
  long peek(long millis) {
    long before = latest.get();
    boolean counts = millis > before ? isPlausible(millis, before) : allowsLate;
    return counts ? millis : before;
  }

  private boolean isPlausible(long millis, long before) {
    if (!isEventTime()) {
      return true;
    }
    if (before != ClockState.NEVER && isFurther(before, millis, maxJump)) {
      return false;
    }
    if (millis > plausibleUntil) {
      long now = arrival.millis();
      plausibleUntil = now + Math.min(maxAhead, Long.MAX_VALUE - Math.max(0, now));
    }
    return millis <= plausibleUntil;
  }

  /**
   * Returns whether a time is later than another by more than this. The difference of two times may
   * exceed a signed number.
   */
  private static boolean isFurther(long from, long to, long distance) {
    return Long.compareUnsigned(to - from, distance) > 0;
  }

  /** Returns the latest time that was accepted. */
  long latest() {
    return latest.get();
  }

  /** Returns the first time after this time at which the window makes a step. */
  long nextStepAfter(long millis) {
    return window.firstMomentOf(window.stepOf(millis) + 1);
  }

  long late() {
    return late.sum();
  }

  long rejected() {
    return rejected.sum();
  }

  /** Returns the values that a state contains. */
  ClockState state() {
    return isNeeded()
        ? new ClockState(
            basis, latest.get(), Math.min(late(), Counts.MOST), Math.min(rejected(), Counts.MOST))
        : ClockState.UNKNOWN;
  }

  /** Forgets all times. */
  void clear() {
    latest.set(ClockState.NEVER);
    late.reset();
    rejected.reset();
  }

  /** Merges the times and counts of another clock into this one. */
  void join(RecordClock other) {
    latest.accumulateAndGet(other.latest.get(), Math::max);
    late.add(other.late());
    rejected.add(other.rejected());
  }
}
