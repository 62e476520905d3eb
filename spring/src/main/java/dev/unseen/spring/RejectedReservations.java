package dev.unseen.spring;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts the reservations that a deduplicator has rejected because too many keys were reserved.
 * Safe for use by many threads.
 */
final class RejectedReservations {
  /** How long there must be no rejection until the problem is over. */
  static final Duration QUIET = Duration.ofMinutes(1);

  private final ReservationLimitAlarm alarm;
  private final LongAdder count = new LongAdder();
  private final LongSupplier nanoTime;
  private final AtomicLong last; // the time of the last rejection

  RejectedReservations(ReservationLimitAlarm alarm, LongSupplier nanoTime) {
    this.alarm = alarm;
    this.nanoTime = nanoTime;
    this.last = new AtomicLong(nanoTime.getAsLong() - QUIET.toNanos());
  }

  /** Counts a rejection, and returns whether the problem starts with it. */
  boolean add() {
    count.increment();
    long now = nanoTime.getAsLong();
    return now - last.getAndSet(now) >= QUIET.toNanos();
  }

  ReservationLimitAlarm alarm() {
    return alarm;
  }

  long count() {
    return count.sum();
  }

  /** Returns whether the problem lasts: the last rejection was a short time ago. */
  boolean isRecent() {
    return nanoTime.getAsLong() - last.get() < QUIET.toNanos();
  }
}
