package dev.unseen.kafka;

import org.apache.kafka.common.errors.InvalidTxnStateException;

/**
 * A transaction that took longer than {@code transaction.timeout.ms}, so that its broker aborted
 * it: the process was suspended, or the broker away. Kafka Streams goes on by itself if the broker
 * says so in one way, and gives up the thread if it says so in another (KAFKA-19690). A new thread
 * begins where the transaction began.
 */
final class AbortedTransaction {
  private AbortedTransaction() {}

  /** Returns whether it is why a thread was given up. */
  static boolean isCauseOf(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof InvalidTxnStateException) {
        return true;
      }
    }
    return false;
  }
}
