package dev.unseen;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The answer to {@link Deduplicator#probe}. Its commit remembers the key of the record once the
 * record has been delivered.
 *
 * <pre>{@code
 * Ticket ticket = dedup.probe(click);
 * if (ticket.fresh()) {
 *   sink.write(click);
 * }
 * ticket.commit(); // duplicates too: they are counted, measured, and renew their key
 * }</pre>
 *
 * <p>If the process ends between the probe and the commit, the record is still new to the next
 * process and is delivered again: each record is delivered at least once. A ticket that is never
 * committed changes nothing and blocks nobody. Two tickets of one key may both be fresh; the first
 * commit marks the key, and the second commit returns false, because its record was delivered
 * twice. {@link Deduplicator#reserve} prevents that.
 */
public final class Ticket {
  private final boolean fresh;
  private final BooleanSupplier admit;
  private final AtomicBoolean committed = new AtomicBoolean();

  Ticket(boolean fresh, BooleanSupplier admit) {
    this.fresh = fresh;
    this.admit = admit;
  }

  /** Returns whether the record was new when it was probed. */
  public boolean fresh() {
    return fresh;
  }

  /**
   * Counts the record and remembers its key, whether it is fresh or not, exactly as {@link
   * Deduplicator#admit} does. A second commit of one ticket does nothing and returns false, in any
   * thread. Several threads need a deduplicator that is {@linkplain GateBuilder#concurrent
   * concurrent}.
   *
   * @return whether the key was not seen before: true only for the first of all commits of one key
   */
  public boolean commit() {
    return !committed.getAndSet(true) && admit.getAsBoolean();
  }

  /** Returns whether the ticket has been committed. */
  public boolean committed() {
    return committed.get();
  }
}
