package dev.unseen;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The answer to {@link Deduplicator#reserve}: while one caller works on a record, all others with
 * the same key are told that it is in flight. This is what an idempotency key needs.
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
 * <p>A reservation that is neither committed nor rolled back ends by itself after {@link
 * GateOptions#reservationTimeout}, so a caller that dies blocks nobody for longer.
 */
public final class Reservation implements AutoCloseable {
  /** What became of the request. */
  public enum Status {
    /** The key is new and belongs to the caller until it commits or rolls back. */
    GRANTED,
    /** The key was seen before. The record is counted as a duplicate; nothing is left to do. */
    DUPLICATE,
    /** Another caller has reserved the key. The record is not counted; ask again later. */
    IN_FLIGHT
  }

  private final Status status;
  private final long expiresAt;
  private final BooleanSupplier admit;
  private final Runnable release;
  private final AtomicBoolean settled;

  private Reservation(
      Status status, long expiresAt, boolean settled, BooleanSupplier admit, Runnable release) {
    this.status = status;
    this.expiresAt = expiresAt;
    this.settled = new AtomicBoolean(settled);
    this.admit = admit;
    this.release = release;
  }

  static Reservation granted(long expiresAt, BooleanSupplier admit, Runnable release) {
    return new Reservation(Status.GRANTED, expiresAt, false, admit, release);
  }

  /** One that needs no commit: the key is marked already, or belongs to somebody else. */
  static Reservation settled(Status status) {
    return new Reservation(status, 0, true, () -> status == Status.GRANTED, () -> {});
  }

  /** Returns what became of the request. */
  public Status status() {
    return status;
  }

  boolean isExpired(long now) {
    return now >= expiresAt;
  }

  /**
   * Marks the key as seen and counts the record, as {@link Deduplicator#admit} does. A second
   * commit, or one after a rollback, does nothing and returns false.
   *
   * @return whether the key was not seen before now. False although it was granted means that the
   *     reservation had timed out and another caller was quicker
   */
  public boolean commit() {
    if (settled.getAndSet(true)) {
      return false;
    }
    boolean first = admit.getAsBoolean(); // before others can reserve the key again
    release.run();
    return first;
  }

  /** Gives the key back: the next caller may reserve it. After a commit it does nothing. */
  public void rollback() {
    if (!settled.getAndSet(true)) {
      release.run();
    }
  }

  /** Rolls back, unless it was committed before. */
  @Override
  public void close() {
    rollback();
  }
}
