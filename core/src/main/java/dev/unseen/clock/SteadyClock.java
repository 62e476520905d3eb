package dev.unseen.clock;

import dev.unseen.filter.base.DuplicateFilter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Derives the time of day from elapsed time, so that a wrong reading of the machine's clock does
 * not matter. It is the default clock of a gate.
 *
 * <p>The time is that of the machine's clock on startup, plus the time elapsed since then. Small
 * differences from the machine's clock are corrected slowly. If the machine's clock jumps by more
 * than {@link #TOLERANCE_MILLIS}, the jump is counted and not followed at once: only if it persists
 * for a minute, as after a machine was suspended, does this clock follow it. This clock is safe for
 * use by many threads.
 */
public final class SteadyClock implements InstantSource {
  /** A larger difference between two readings of a clock is a jump, in milliseconds. */
  public static final long TOLERANCE_MILLIS = DuplicateFilter.CLOCK_TOLERANCE;

  /*
   * Elapsed time is System.nanoTime, which no one can set. It may stand still while a machine is
   * suspended; the machine's clock is then ahead for good, and right. A wrong clock, on the other
   * hand, is usually corrected within seconds, by the hypervisor or by NTP.
   *
   *   every second of elapsed time:
   *     difference = the machine's clock - this clock
   *     within the tolerance: correct it by up to 0.5 ms per second, as NTP does (500 ppm)
   *     else, if it is not the difference of the last jump: a jump; remember when it came
   *     else, if the jump came a minute ago: follow it
   */
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long CHECK_NANOS = 1000 * NANOS_PER_MILLI;
  private static final long PERSISTENT_NANOS = 60 * CHECK_NANOS;
  private static final long CORRECTION = 2000; // of the elapsed time, the part that is corrected

  /** A reading that took longer than this is not used, because it is unknown when it was made. */
  private static final long SLOW_NANOS = 100 * NANOS_PER_MILLI;

  private record Anchor(long millis, long nanos) {
    long at(long now) {
      return millis + Math.floorDiv(now - nanos, NANOS_PER_MILLI);
    }
  }

  private static final class Machine {
    static final SteadyClock CLOCK = new SteadyClock(InstantSource.system(), System::nanoTime);
  }

  private final InstantSource wall;
  private final LongSupplier ticker;
  private final ReentrantLock checking = new ReentrantLock();
  private final AtomicLong jumps = new AtomicLong();
  private volatile Anchor anchor;
  private volatile long checkedAt; // in nanoseconds

  // Under the lock: the last jump, if it persists.
  private boolean hasJumped;
  private long jumpedAt; // in nanoseconds
  private long jumpedBy; // in milliseconds

  private SteadyClock(InstantSource wall, LongSupplier ticker) {
    this.wall = wall;
    this.ticker = ticker;
    this.checkedAt = ticker.getAsLong();
    this.anchor = new Anchor(wall.millis(), checkedAt);
  }

  /** Returns the clock of this machine, which all callers share. */
  public static SteadyClock system() {
    return Machine.CLOCK;
  }

  /** Creates a clock that follows another one, with the elapsed time in nanoseconds, for tests. */
  public static SteadyClock of(InstantSource wall, LongSupplier nanoTime) {
    return new SteadyClock(
        Objects.requireNonNull(wall, "wall is null; InstantSource.system() is usual"),
        Objects.requireNonNull(nanoTime, "nanoTime is null; System::nanoTime is usual"));
  }

  @Override
  public long millis() {
    long now = ticker.getAsLong();
    if (now - checkedAt >= CHECK_NANOS && checking.tryLock()) {
      try {
        check(now);
      } finally {
        checking.unlock();
      }
    }
    return anchor.at(now);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  /** Returns how often the machine's clock has jumped since this clock was created. */
  public long jumps() {
    return jumps.get();
  }

  private void check(long now) {
    long reading = wall.millis();
    long passed = now - checkedAt;
    checkedAt = now;
    if (ticker.getAsLong() - now > SLOW_NANOS) {
      return;
    }
    long difference = reading - anchor.at(now);
    if (Math.abs(difference) <= TOLERANCE_MILLIS) {
      hasJumped = false;
      long most = passed / CORRECTION;
      long correction = Math.max(-most, Math.min(most, difference * NANOS_PER_MILLI));
      if (correction != 0) {
        anchor = new Anchor(anchor.millis(), anchor.nanos() - correction);
      }
    } else if (!hasJumped || Math.abs(difference - jumpedBy) > TOLERANCE_MILLIS) {
      hasJumped = true;
      jumpedAt = now;
      jumpedBy = difference;
      jumps.incrementAndGet();
    } else if (now - jumpedAt >= PERSISTENT_NANOS) {
      hasJumped = false;
      anchor = new Anchor(reading, now);
    }
  }
}
