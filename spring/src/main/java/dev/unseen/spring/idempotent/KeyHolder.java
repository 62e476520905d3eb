package dev.unseen.spring.idempotent;

import dev.unseen.Reservation;
import dev.unseen.ReservationLimitException;
import dev.unseen.client.ReservationStore;

/**
 * What holds keys, in this process or elsewhere, and the responses to requests with these keys.
 *
 * @param onLimit is called if too many keys are reserved
 * @param replays null if responses are not kept
 */
record KeyHolder(
    String name, ReservationStore keys, boolean remote, Runnable onLimit, Replays replays) {
  /**
   * Reserves a key.
   *
   * @param recording of the request that the key is from, or null if there is none
   * @throws DuplicateRequestException if the key is in flight, or was processed
   * @throws ReservationLimitException if too many keys are reserved
   * @throws StoreUnavailableException if the keys cannot be reached
   */
  KeyedWork begin(String key, Recording recording) {
    Reservation reservation;
    try {
      reservation = keys.reserve(key);
    } catch (ReservationLimitException e) {
      onLimit.run();
      throw e;
    }
    if (reservation.status() != Reservation.Status.GRANTED) {
      throw new DuplicateRequestException(reservation.status() == Reservation.Status.IN_FLIGHT);
    }
    if (recording != null) {
      recording.start();
    }
    return new KeyedWork(this, key, recording, reservation);
  }

  /**
   * Adds the response of the first request to the exception for a duplicate, if it is known.
   *
   * @throws DifferentRequestException if the first request was another one
   */
  DuplicateRequestException replay(
      DuplicateRequestException duplicate, String key, Recording recording) {
    return recording == null || duplicate.isInFlight()
        ? duplicate
        : replays.duplicate(name, key, recording);
  }

  /** Returns whether calls may wait for a network. */
  boolean isBlocking() {
    return remote || (replays != null && replays.isBlocking());
  }
}
