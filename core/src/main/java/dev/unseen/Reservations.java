package dev.unseen;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The keys that callers work on at present: an exact table, with a limit. For any threads. */
final class Reservations {
  private final Map<Long, Reservation> held = new ConcurrentHashMap<>();
  private final int most;

  Reservations(int most) {
    this.most = most;
  }

  /**
   * Holds a key for a caller.
   *
   * @return whether it is held for this caller now; false if another one has it
   */
  boolean hold(long hash, Reservation reservation, long now) {
    if (held.size() >= most && count(now) >= most) {
      throw new IllegalStateException(
          "%,d keys are reserved already, which is the most; commit or roll back reservations, shorten reservationTimeout, or raise maxReservations"
              .formatted(most));
    }
    return held.compute(
            hash, (key, before) -> before == null || before.isExpired(now) ? reservation : before)
        == reservation;
  }

  /** Ends a reservation, unless another one has taken its place after a time-out. */
  void release(long hash, Reservation reservation) {
    held.remove(hash, reservation);
  }

  /** Drops what has timed out, and returns how many are left. */
  int count(long now) {
    held.values().removeIf(reservation -> reservation.isExpired(now));
    return held.size();
  }

  void clear() {
    held.clear();
  }
}
