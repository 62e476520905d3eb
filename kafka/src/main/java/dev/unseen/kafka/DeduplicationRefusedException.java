package dev.unseen.kafka;

import dev.unseen.LateRecordException;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * Ends a stream that would be no better off after a restart, such as one whose changelog is of
 * another filter. The message says what is wrong and what to do. A handler of uncaught exceptions
 * should answer it with {@code SHUTDOWN_APPLICATION}.
 */
public final class DeduplicationRefusedException extends StreamsException {
  private static final long serialVersionUID = 1;

  private final String place; // of the record; empty: it is not about a record

  DeduplicationRefusedException(String reason, Throwable cause) {
    this(reason, "", cause);
  }

  private DeduplicationRefusedException(String reason, String place, Throwable cause) {
    super(reason, cause);
    this.place = place;
  }

  /** Creates an exception for a record that is too late. */
  static DeduplicationRefusedException late(String place, LateRecordException late) {
    return new DeduplicationRefusedException(
        "%s: %s".formatted(place, late.getMessage()), place, late);
  }

  /** Describes the problem for a user who knows the options by these names. */
  String describe(UnaryOperator<String> names) {
    return getCause() instanceof LateRecordException late
        ? "%s: %s".formatted(place, late.describe(names))
        : getMessage();
  }
}
