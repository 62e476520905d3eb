package dev.unseen.kafka;

import org.apache.kafka.streams.errors.StreamsException;

/**
 * Ends a stream that would be no better off after a restart, such as one whose changelog is of
 * another filter. The message says what is wrong and what to do. A handler of uncaught exceptions
 * should answer it with {@code SHUTDOWN_APPLICATION}.
 */
public final class DeduplicationRefusedException extends StreamsException {
  private static final long serialVersionUID = 1;

  DeduplicationRefusedException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
