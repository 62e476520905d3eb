package dev.unseen;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** A reservation in the table of a gate, or the answer to a caller that did not get one. */
final class HeldKey implements Reservation {
  private final Status status;
  private final long since; // nanoseconds since any moment
  private final long nanos; // for which it holds
  private final BooleanSupplier admit;
  private final Runnable release;
  private final AtomicBoolean settled;

  private HeldKey(Status status, long since, long nanos, BooleanSupplier admit, Runnable release) {
    this.status = status;
    this.since = since;
    this.nanos = nanos;
    this.settled = new AtomicBoolean(status != Status.GRANTED);
    this.admit = admit;
    this.release = release;
  }

  static HeldKey granted(long since, long nanos, BooleanSupplier admit, Runnable release) {
    return new HeldKey(Status.GRANTED, since, nanos, admit, release);
  }

  /** Creates the answer to a caller that has nothing to commit or to roll back. */
  static HeldKey rejected(Status status) {
    return new HeldKey(status, 0, 0, () -> false, () -> {});
  }

  @Override
  public Status status() {
    return status;
  }

  boolean isExpired(long now) {
    return now - since >= nanos;
  }

  @Override
  public boolean commit() {
    if (settled.getAndSet(true)) {
      return false;
    }
    boolean first = admit.getAsBoolean(); // before others can reserve the key again
    release.run();
    return first;
  }

  @Override
  public void rollback() {
    if (!settled.getAndSet(true)) {
      release.run();
    }
  }
}
