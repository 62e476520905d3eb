package dev.unseen;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the keys that callers work on at present, in an exact table with a limit. Safe for use by
 * many threads.
 */
final class Reservations {
  private final Map<Long, Reservation> held = new ConcurrentHashMap<>();
  private final int most;

  Reservations(int most) {
    this.most = most;
  }

  /**
   * Reserves a key for a caller.
   *
   * @return whether the key is now reserved for this caller; false if another caller has it
   */
  boolean hold(long hash, Reservation reservation, long now) {
    if (held.size() >= most && count(now) >= most) {
      throw new ReservationLimitException(most);
    }
    return held.compute(
            hash, (key, before) -> before == null || before.isExpired(now) ? reservation : before)
        == reservation;
  }

  /** Ends a reservation, unless another one has replaced it after a time-out. */
  void release(long hash, Reservation reservation) {
    held.remove(hash, reservation);
  }

  /** Removes the reservations that have timed out, and returns the number of those that remain. */
  int count(long now) {
    held.values().removeIf(reservation -> reservation.isExpired(now));
    return held.size();
  }

  void clear() {
    held.clear();
  }
}
