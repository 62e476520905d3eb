package dev.unseen;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Keeps the keys that callers work on at present, in an exact table with a limit. Time is elapsed
 * time, so that a clock that is set does not end reservations or prolong them. Safe for use by many
 * threads.
 */
final class Reservations {
  enum Answer {
    HELD,
    IN_FLIGHT,
    FULL
  }

  /** A search for reservations that have timed out visits all of them, so it must be rare. */
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Map<Long, HeldKey> held = new ConcurrentHashMap<>();
  private final int most;
  private final LongSupplier ticker; // nanoseconds since any moment
  private final AtomicLong lastSweep;

  Reservations(int most, LongSupplier ticker) {
    this.most = most;
    this.ticker = ticker;
    this.lastSweep = new AtomicLong(ticker.getAsLong());
  }

  long now() {
    return ticker.getAsLong();
  }

  Answer hold(long hash, HeldKey reservation) {
    Answer answer = tryHold(hash, reservation);
    return answer == Answer.FULL && sweep() ? tryHold(hash, reservation) : answer;
  }

  private Answer tryHold(long hash, HeldKey reservation) {
    long now = now();
    HeldKey holder =
        held.compute(
            hash,
            (key, before) -> {
              if (before == null) {
                return held.size() < most ? reservation : null;
              }
              return before.isExpired(now) ? reservation : before;
            });
    if (holder == null) {
      return Answer.FULL;
    }
    return holder == reservation ? Answer.HELD : Answer.IN_FLIGHT;
  }

  /** Ends a reservation, unless another one has replaced it after a time-out. */
  void release(long hash, HeldKey reservation) {
    held.remove(hash, reservation);
  }

  /** Removes what has timed out, at most once per second. Returns whether it was done now. */
  private boolean sweep() {
    long now = now();
    long last = lastSweep.get();
    if (now - last < SWEEP_NANOS || !lastSweep.compareAndSet(last, now)) {
      return false;
    }
    held.values().removeIf(reservation -> reservation.isExpired(now));
    return true;
  }

  /**
   * Returns the number of reservations, some of which may have timed out within the last second.
   */
  int count() {
    sweep();
    return held.size();
  }

  void clear() {
    held.clear();
  }
}
