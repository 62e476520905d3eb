package dev.unseen;

import dev.unseen.text.Print;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * Reports a record that cannot be checked because of its time, in a gate or deduplicator with
 * {@link LateRecords#FAIL}. The record is counted, and its key is not remembered.
 */
public final class LateRecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long millis;
  private final long latest;
  private final long lateness;
  private final int index;

  LateRecordException(long millis, long latest, long lateness, int index) {
    this.millis = millis;
    this.latest = latest;
    this.lateness = lateness;
    this.index = index;
  }

  /** Returns the same exception for the record at this place of a batch. */
  LateRecordException at(int place) {
    return new LateRecordException(millis, latest, lateness, place);
  }

  /** Returns what is wrong and what to do, with the options named as in Java. */
  @Override
  public String getMessage() {
    return describe(UnaryOperator.identity());
  }

  /** Returns what is wrong and what to do, for a user who knows the options by these names. */
  public String describe(UnaryOperator<String> names) {
    String record = index < 0 ? "a record" : "record %d of the batch".formatted(index);
    String policy =
        "admit or drop such records (%s)".formatted(names.apply(Option.LATE_RECORDS.name()));
    return millis > latest
        ? "%s has the time %s, which is too far in the future; check the clock and the unit of the times, raise %s, or %s"
            .formatted(
                record,
                Instant.ofEpochMilli(millis),
                names.apply(Option.MAX_TIME_AHEAD.name()),
                policy)
        : "%s has the time %s, which is before the latest time (%s) by more than the lateness of %s; read older records first, raise %s, or %s"
            .formatted(
                record,
                Instant.ofEpochMilli(millis),
                Instant.ofEpochMilli(latest),
                Print.duration(Duration.ofMillis(lateness)),
                names.apply(Option.MAX_LATENESS.name()),
                policy);
  }

  /** Returns the time of the record, in milliseconds since 1970. */
  public long millis() {
    return millis;
  }

  /**
   * Returns the latest time of the gate so far, in milliseconds since 1970; {@link Long#MIN_VALUE}
   * if there is none.
   */
  public long latest() {
    return latest;
  }

  /** Returns the time by which a record may be late, in milliseconds. */
  public long lateness() {
    return lateness;
  }

  /**
   * Returns the place of the record in its batch, from 0 on. The value is -1 if it came alone. All
   * records of the batch were processed, and the answers were returned in the arrays of {@link
   * Gate#admitAll(long[], long[], int, int, long[], long[])}.
   */
  public int index() {
    return index;
  }
}
