package dev.unseen.server.store;

import dev.unseen.Gate;
import dev.unseen.Reservation;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reservations of the clients of one filter, by a token that only the holder knows. A
 * reservation expires after a minute.
 */
public final class ReservationTokens {
  /** The time after which a reservation expires, the default of the gate. */
  static final long MILLIS = 60_000;

  private static final int MOST = 100_000;
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
   */
  record Held(long item, Reservation reservation, long since) {}

  private final Map<String, Held> held = new LinkedHashMap<>(); // those that end first, first

  private final InstantSource clock;

  ReservationTokens(InstantSource clock) {
    this.clock = clock;
  }

  synchronized Grant reserve(Gate gate, long item) {
    dropEnded();
    if (held.size() >= MOST) {
      throw new StoreException(
          StoreException.Reason.RESERVATION_LIMIT,
          "%d items of this filter are reserved, which is the limit".formatted(held.size()));
    }
    long now = clock.millis();
    Reservation reservation = gate.reserve(item, now);
    if (reservation.status() != Reservation.Status.GRANTED) {
      return new Grant(reservation.status(), "");
    }
    String token = HexFormat.of().toHexDigits(RANDOM.nextLong());
    held.put(token, new Held(item, reservation, now));
    return new Grant(reservation.status(), token);
  }

  private void dropEnded() {
    long now = clock.millis();
    for (Iterator<Held> all = held.values().iterator(); all.hasNext(); ) {
      if (all.next().since + MILLIS > now) {
        return;
      }
      all.remove();
    }
  }

  synchronized Held find(String token) {
    dropEnded();
    Held found = held.get(token);
    if (found == null) {
      throw new StoreException(
          StoreException.Reason.NO_RESERVATION,
          "there is no reservation '%s'; it was settled, or has expired after %d seconds"
              .formatted(token, MILLIS / 1000));
    }
    return found;
  }

  synchronized boolean commit(String token) {
    find(token);
    return held.remove(token).reservation.commit();
  }

  synchronized boolean rollback(String token) {
    find(token);
    held.remove(token).reservation.rollback();
    return true;
  }
}
