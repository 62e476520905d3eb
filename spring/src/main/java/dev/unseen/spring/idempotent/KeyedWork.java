package dev.unseen.spring.idempotent;

import dev.unseen.Deduplicator;
import dev.unseen.Reservation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Work on a key that this caller alone has, until it has succeeded or failed. */
final class KeyedWork {
  private static final Log LOG = LogFactory.getLog(KeyedWork.class);

  private final Reservation reservation;

  private KeyedWork(Reservation reservation) {
    this.reservation = reservation;
  }

  /**
   * Reserves a key.
   *
   * @throws DuplicateRequestException if the key is in flight, or was processed
   */
  static KeyedWork begin(Deduplicator<String> keys, String key) {
    Reservation reservation = keys.reserve(key);
    return switch (reservation.status()) {
      case GRANTED -> new KeyedWork(reservation);
      case IN_FLIGHT -> throw new DuplicateRequestException(true);
      case DUPLICATE -> throw new DuplicateRequestException(false);
    };
  }

  /** Marks the key as processed. */
  void succeed() {
    if (!reservation.commit()) {
      LOG.warn(
          "A call took longer than its reservation-timeout, and another call with its key was processed meanwhile; raise the timeout");
    }
  }

  /** Releases the key, so that a retry runs. */
  void fail() {
    reservation.rollback();
  }
}
