package dev.unseen.server.store;

import dev.unseen.Gate;
import dev.unseen.Reservation;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeSet;

/**
 * The reservations of the clients of one filter, by a token that only the holder knows. Each
 * expires after the time that its client has asked for. Their memory counts in the budget.
 */
public final class ReservationTokens {
  /** The time after which a reservation expires if the client gives none. */
  public static final long DEFAULT_MILLIS = 60_000;

  /** The time-out of the gate, which is never reached: this class ends reservations. */
  static final Duration GATE_TIMEOUT = Duration.ofDays(10_000);

  /** The memory of a reservation: a dozen objects, here and in the gate, of 64 bytes each. */
  private static final long BYTES = 768;

  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * The answer to a request for an item.
   *
   * @param status whether the item now belongs to the caller
   * @param token names the reservation; empty unless it was granted
   */
  public record Grant(Reservation.Status status, String token) {}

  /**
   * A reservation.
   *
   * @param since the time at which the item was reserved, at which it is then seen
   * @param until the time at which the reservation expires
   */
  record Held(String token, long item, Reservation reservation, long since, long until) {}

  private final Map<String, Held> held = new HashMap<>();
  private final TreeSet<Held> byEnd =
      new TreeSet<>(Comparator.comparingLong(Held::until).thenComparing(Held::token));
  private final InstantSource clock;
  private final int most;
  private final MemoryBudget budget;

  ReservationTokens(InstantSource clock, int most, MemoryBudget budget) {
    this.clock = clock;
    this.most = most;
    this.budget = budget;
  }

  synchronized Grant reserve(Gate gate, long item, long millis) {
    dropEnded();
    if (held.size() >= most) {
      throw new StoreException(
          StoreException.Reason.RESERVATION_LIMIT,
          "%d items of this filter are reserved, which is the limit".formatted(held.size()));
    }
    budget.take(BYTES, "a reservation");
    Reservation reservation = null;
    try {
      long now = clock.millis();
      reservation = gate.reserve(item, now);
      if (reservation.status() != Reservation.Status.GRANTED) {
        return new Grant(reservation.status(), "");
      }
      String token = HexFormat.of().toHexDigits(RANDOM.nextLong());
      Held granted = new Held(token, item, reservation, now, now + millis);
      held.put(token, granted);
      byEnd.add(granted);
      return new Grant(reservation.status(), token);
    } finally {
      if (reservation == null || reservation.status() != Reservation.Status.GRANTED) {
        budget.release(BYTES);
      }
    }
  }

  /** Releases the items whose reservations have expired. */
  synchronized void dropEnded() {
    long now = clock.millis();
    while (!byEnd.isEmpty() && byEnd.first().until <= now) {
      remove(byEnd.first()).rollback();
    }
  }

  private Reservation remove(Held reserved) {
    held.remove(reserved.token);
    byEnd.remove(reserved);
    budget.release(BYTES);
    return reserved.reservation;
  }

  synchronized Held find(String token) {
    dropEnded();
    Held found = held.get(token);
    if (found == null) {
      throw new StoreException(
          StoreException.Reason.NO_RESERVATION,
          "there is no reservation '%s'; it was settled, or has expired".formatted(token));
    }
    return found;
  }

  synchronized boolean commit(String token) {
    return remove(find(token)).commit();
  }

  synchronized boolean rollback(String token) {
    remove(find(token)).rollback();
    return true;
  }

  /** Releases the memory of all reservations, because their filter was deleted. */
  synchronized void clear() {
    budget.release(BYTES * held.size());
    held.clear();
    byEnd.clear();
  }
}
