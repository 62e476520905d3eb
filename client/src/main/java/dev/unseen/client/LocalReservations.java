package dev.unseen.client;

import dev.unseen.Deduplicator;
import dev.unseen.Reservation;

/** Keeps keys in this process. */
record LocalReservations(Deduplicator<String> keys) implements ReservationStore {
  @Override
  public Reservation reserve(String key) {
    return keys.reserve(key);
  }

  @Override
  public boolean wasSeen(String key) {
    return keys.mightContain(key);
  }

  @Override
  public void clear() {
    keys.clear();
  }
}
