package dev.unseen.client;

import dev.unseen.Deduplicator;
import dev.unseen.Reservation;
import dev.unseen.Reservation.Outcome;
import dev.unseen.ReservationLimitException;
import java.util.Objects;

/**
 * Remembers keys for callers that do the work of each key once: in this process ({@link #of}), or
 * in a server that several processes share ({@link ServerReservations}). Safe for use by many
 * threads.
 */
public interface ReservationStore {
  /**
   * Reserves a key for the caller, who commits it when the work is done.
   *
   * @throws ReservationLimitException if no more keys can be reserved at present
   * @throws StoreUnavailableException if the keys cannot be reached at present
   */
  Reservation reserve(String key);

  /**
   * Returns whether the work of a key was done, without reserving the key.
   *
   * @throws StoreUnavailableException if the keys cannot be reached at present
   */
  boolean wasSeen(String key);

  /**
   * Forgets all keys and reservations.
   *
   * @throws StoreUnavailableException if the keys cannot be reached at present
   */
  void clear();

  /**
   * Does the work of a key unless it was done before: see {@link Deduplicator#runOnce}.
   *
   * @throws X what the work has thrown
   * @throws StoreUnavailableException if the keys cannot be reached. If that happens after the work
   *     was done, its key is released when the reservation expires, and the next caller does the
   *     work again: call {@link #reserve} if the work cannot be done twice, and repeat the commit
   */
  default <V, X extends Exception> Outcome<V> runOnce(String key, Reservation.Work<V, X> work)
      throws X {
    Objects.requireNonNull(work, "work is null");
    return reserve(key).run(work);
  }

  /**
   * Returns a store that keeps its keys in this process.
   *
   * @param keys remembers the keys. Build it with {@code concurrent()} if several threads use it
   */
  static ReservationStore of(Deduplicator<String> keys) {
    return new LocalReservations(Objects.requireNonNull(keys, "keys is null"));
  }
}
