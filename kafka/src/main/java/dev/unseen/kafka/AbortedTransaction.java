package dev.unseen.kafka;

import org.apache.kafka.common.errors.InvalidTxnStateException;

/**
 * A transaction that took longer than {@code transaction.timeout.ms}, so that its broker aborted
 * it: the process was suspended, or the broker was unreachable. Depending on the error code of the
 * broker, Kafka Streams resumes automatically or ends the thread (KAFKA-19690). A new thread begins
 * where the transaction began.
 */
final class AbortedTransaction {
  private AbortedTransaction() {}

  /** Returns whether an aborted transaction is the cause of a failure. */
  static boolean isCauseOf(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof InvalidTxnStateException) {
        return true;
      }
    }
    return false;
  }
}
