package dev.unseen.spring.idempotent;

import dev.unseen.Deduplicator;
import dev.unseen.ReservationLimitException;
import dev.unseen.spring.DeduplicatorFactory;

/** A deduplicator that holds keys, and the factory that hears of keys it has no room for. */
record KeyHolder(String name, Deduplicator<String> keys, DeduplicatorFactory factory) {
  /**
   * Reserves a key.
   *
   * @throws DuplicateRequestException if the key is in flight, or was processed
   * @throws ReservationLimitException if too many keys are reserved
   */
  KeyedWork begin(String key) {
    try {
      return KeyedWork.begin(keys, key);
    } catch (ReservationLimitException e) {
      factory.reservationRejected(name, keys);
      throw e;
    }
  }
}
