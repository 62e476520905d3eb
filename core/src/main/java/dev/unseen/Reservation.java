package dev.unseen;

import org.jspecify.annotations.Nullable;

/**
 * Holds the key of a record while one caller works on it. Other callers with the same key get the
 * status {@code IN_FLIGHT}, as an idempotency key requires.
 *
 * <pre>{@code
 * try (Reservation reservation = orders.reserve(order)) {
 *   switch (reservation.status()) {
 *     case GRANTED -> {
 *       ship(order);
 *       reservation.commit(); // without it, closing rolls back
 *     }
 *     case DUPLICATE -> reply("done before");
 *     case IN_FLIGHT -> reply("another request is working on it; try again later");
 *   }
 * }
 * }</pre>
 *
 * <p>{@link Deduplicator#runOnce} does the same in one call. A reservation that is neither
 * committed nor rolled back ends automatically after {@link GateBuilder#reservationTimeout}, so a
 * caller that dies does not block others for longer.
 */
public interface Reservation extends AutoCloseable {
  /** The possible results of a request. */
  enum Status {
    /** The key is new and belongs to the caller until it commits or rolls back. */
    GRANTED,
    /** The key was seen before; the record is counted as a duplicate. */
    DUPLICATE,
    /** Another caller has reserved the key. The record is not counted; ask again later. */
    IN_FLIGHT
  }

  /**
   * Work that is done once per key.
   *
   * @param <V> the type of its result
   * @param <X> what it may throw
   */
  @FunctionalInterface
  interface Work<V, X extends Exception> {
    /** Does the work. If it throws, the key is released, and the next caller may try again. */
    @Nullable V call() throws X;
  }

  /**
   * What happened to work that is done once per key.
   *
   * @param status whether the work was done now, was done before, or is being done by another
   *     caller
   * @param value the result of the work; null unless it was done now
   * @param overtaken whether the work was done now, and also by another caller, because it took
   *     longer than the reservation was held
   */
  record Outcome<V>(Status status, @Nullable V value, boolean overtaken) {
    /** Returns whether the work was done now. */
    public boolean ran() {
      return status == Status.GRANTED;
    }
  }

  /** Returns the result of the request. */
  Status status();

  /**
   * Marks the key as seen and counts the record, as {@link Deduplicator#admit} does. A second
   * commit, or a commit after a rollback, does nothing and returns false.
   *
   * @return whether the key was not seen before. If the reservation was granted and this is false,
   *     the reservation had timed out and another caller was faster
   */
  boolean commit();

  /** Releases the key, so that the next caller may reserve it. Does nothing after a commit. */
  void rollback();

  /** Rolls back, unless the reservation was committed. */
  @Override
  default void close() {
    rollback();
  }

  /** Does the work and commits if it was granted. If the work throws, rolls back and rethrows. */
  default <V, X extends Exception> Outcome<V> run(Work<V, X> work) throws X {
    try (this) {
      if (status() != Status.GRANTED) {
        return new Outcome<>(status(), null, false);
      }
      V value = work.call();
      return new Outcome<>(Status.GRANTED, value, !commit());
    }
  }
}
