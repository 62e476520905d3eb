package dev.unseen;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

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
 * <p>A reservation that is neither committed nor rolled back ends automatically after {@link
 * GateBuilder#reservationTimeout}, so a caller that dies does not block others for longer.
 */
public final class Reservation implements AutoCloseable {
  /** The possible results of a request. */
  public enum Status {
    /** The key is new and belongs to the caller until it commits or rolls back. */
    GRANTED,
    /**
     * The key was seen before. The record is counted as a duplicate, and the caller has nothing
     * left to do.
     */
    DUPLICATE,
    /** Another caller has reserved the key. The record is not counted; ask again later. */
    IN_FLIGHT
  }

  private final Status status;
  private final long since; // nanoseconds since any moment
  private final long nanos; // for which it holds
  private final BooleanSupplier admit;
  private final Runnable release;
  private final AtomicBoolean settled;

  private Reservation(
      Status status, long since, long nanos, BooleanSupplier admit, Runnable release) {
    this.status = status;
    this.since = since;
    this.nanos = nanos;
    this.settled = new AtomicBoolean(status != Status.GRANTED);
    this.admit = admit;
    this.release = release;
  }

  /** Creates a reservation that holds for some nanoseconds from a moment on. */
  static Reservation granted(long since, long nanos, BooleanSupplier admit, Runnable release) {
    return new Reservation(Status.GRANTED, since, nanos, admit, release);
  }

  /** Creates the answer to a caller that has nothing to commit or to roll back. */
  static Reservation rejected(Status status) {
    return new Reservation(status, 0, 0, () -> false, () -> {});
  }

  /** Returns the result of the request. */
  public Status status() {
    return status;
  }

  boolean isExpired(long now) {
    return now - since >= nanos;
  }

  /**
   * Marks the key as seen and counts the record, as {@link Deduplicator#admit} does. A second
   * commit, or a commit after a rollback, does nothing and returns false.
   *
   * @return whether the key was not seen before. If the reservation was granted and this is false,
   *     the reservation had timed out and another caller was faster
   */
  public boolean commit() {
    if (settled.getAndSet(true)) {
      return false;
    }
    boolean first = admit.getAsBoolean(); // before others can reserve the key again
    release.run();
    return first;
  }

  /** Releases the key, so that the next caller may reserve it. Does nothing after a commit. */
  public void rollback() {
    if (!settled.getAndSet(true)) {
      release.run();
    }
  }

  /** Rolls back, unless the reservation was committed. */
  @Override
  public void close() {
    rollback();
  }
}
