package dev.unseen.kafka;

import dev.unseen.LateRecordException;
import dev.unseen.error.DifferentOptionsException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * Ends a stream that would be no better off after a restart, such as one whose changelog is of
 * another filter. The message says what is wrong and what to do. A handler of uncaught exceptions
 * should answer it with {@code SHUTDOWN_APPLICATION}.
 */
public final class DeduplicationRejectedException extends StreamsException {
  /**
   * Says how to start with an empty filter without losing offsets. A new application id would read
   * its input from the beginning.
   */
  static final String EMPTY_FILTER =
      "To start with an empty filter, stop all instances, delete this topic (kafka-topics --delete) and the local state directories, and start them again: they continue at the committed offsets, and each key that comes again passes once more";

  private static final long serialVersionUID = 1;

  private final transient Function<UnaryOperator<String>, String> description; // by option names

  DeduplicationRejectedException(String reason, Throwable cause) {
    this(names -> reason, cause);
  }

  private DeduplicationRejectedException(
      Function<UnaryOperator<String>, String> description, Throwable cause) {
    super(description.apply(DeduplicationRejectedException::inJava), cause);
    this.description = description;
  }

  private static String inJava(String option) {
    return option.equals(DifferentOptionsException.GROW) ? "onChange(GROW)" : option;
  }

  /** Creates an exception for a record that is too late. */
  static DeduplicationRejectedException late(String place, LateRecordException late) {
    return new DeduplicationRejectedException(
        names -> "%s: %s".formatted(place, late.describe(names)), late);
  }

  /**
   * Creates an exception for a partition that was written with other options.
   *
   * @param name the partition in messages
   */
  static DeduplicationRejectedException otherOptions(
      String name, int partitions, IllegalArgumentException e) {
    return new DeduplicationRejectedException(
        names ->
            "%s was written with other options (%s); set the saved values, or leave these options out%s. Figures are those of one of %d partitions. %s"
                .formatted(name, differences(e, names), remedy(e, names), partitions, EMPTY_FILTER),
        e);
  }

  private static String differences(IllegalArgumentException e, UnaryOperator<String> names) {
    return e instanceof DifferentOptionsException different
        ? different.list(names)
        : e.getMessage();
  }

  private static String remedy(IllegalArgumentException e, UnaryOperator<String> names) {
    return e instanceof DifferentOptionsException different && different.canGrow()
        ? ", or change them without forgetting any key with "
            + names.apply(DifferentOptionsException.GROW)
        : "";
  }

  /** Describes the problem for a user who knows the options by these names. */
  String describe(UnaryOperator<String> names) {
    return description == null ? getMessage() : description.apply(names);
  }
}
