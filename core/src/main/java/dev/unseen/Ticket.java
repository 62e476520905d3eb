package dev.unseen;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The answer to {@link Deduplicator#probe}, with which a record is taken in once it is delivered.
 *
 * <pre>{@code
 * Ticket ticket = dedup.probe(click);
 * if (ticket.fresh()) {
 *   sink.write(click);
 * }
 * ticket.commit(); // duplicates too: they are counted, measured, and renew their key
 * }</pre>
 *
 * <p>If the process ends between the two, the record is new to the next one, and is delivered
 * again: at least once. A ticket that is never committed changes nothing, and nobody waits for it.
 * Two tickets of one key may both be fresh; the first commit marks the key, and the second one
 * returns false: its record was delivered twice. {@link Deduplicator#reserve} prevents that.
 */
public final class Ticket {
  private final boolean fresh;
  private final BooleanSupplier admit;
  private final AtomicBoolean committed = new AtomicBoolean();

  Ticket(boolean fresh, BooleanSupplier admit) {
    this.fresh = fresh;
    this.admit = admit;
  }

  /** Returns whether the record was not seen before, when it was probed. */
  public boolean fresh() {
    return fresh;
  }

  /**
   * Takes the record in, fresh or not, exactly as {@link Deduplicator#admit} does. A second commit
   * of one ticket does nothing and returns false, by whatever thread. Several threads need a
   * deduplicator that is {@linkplain GateOptions#concurrent concurrent}.
   *
   * @return whether the key was not seen before now: of all commits of one key, the first alone
   */
  public boolean commit() {
    return !committed.getAndSet(true) && admit.getAsBoolean();
  }

  /** Returns whether it has been committed. */
  public boolean committed() {
    return committed.get();
  }
}
