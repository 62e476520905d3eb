package dev.unseen.io;

import java.util.Objects;

/**
 * How files are cut into records, and what is wanted of each record.
 *
 * @param key the fields of the key
 * @param time the field with the record's time, written as a field of the key is; null if records
 *     have none
 * @param columns how columns are parted in formats that have them
 * @param nul whether lines end with NUL, not with a newline
 * @param normal what of a key does not count
 * @param missingIsNull whether a field that a record lacks is null in JSON, and empty in a table,
 *     instead of an error
 * @param tag the field that is to be added to each record; null if none is
 */
public record RecordSpec(
    KeySpec key,
    String time,
    ColumnSpec columns,
    boolean nul,
    Normal normal,
    boolean missingIsNull,
    String tag) {
  /** Whole records, as they are. */
  public static final RecordSpec WHOLE_RECORDS = of(KeySpec.WHOLE_RECORD);

  /** Refuses a time without a key. */
  public RecordSpec {
    Objects.requireNonNull(key);
    Objects.requireNonNull(columns);
    Objects.requireNonNull(normal);
    if (time != null && key.isWholeRecord()) {
      throw new IllegalArgumentException(
          "a time needs a key: records that differ in their time are not the same as a whole");
    }
  }

  /** Records with this key, as they are. */
  public static RecordSpec of(KeySpec key) {
    return new RecordSpec(key, null, ColumnSpec.OF_FORMAT, false, Normal.NOTHING, false, null);
  }

  /** Returns the same with columns parted in another way. */
  public RecordSpec withColumns(ColumnSpec others) {
    return new RecordSpec(key, time, others, nul, normal, missingIsNull, tag);
  }

  /** Returns the same with another key. */
  public RecordSpec withKey(KeySpec other) {
    return new RecordSpec(other, time, columns, nul, normal, missingIsNull, tag);
  }

  /** Returns the same with this field as the time. */
  public RecordSpec withTime(String field) {
    return new RecordSpec(key, field, columns, nul, normal, missingIsNull, tag);
  }

  /** Returns the same for lines that end with NUL, or with a newline. */
  public RecordSpec withNul(boolean ends) {
    return new RecordSpec(key, time, columns, ends, normal, missingIsNull, tag);
  }

  /** Returns the same with keys of which not all counts. */
  public RecordSpec withNormal(Normal other) {
    return new RecordSpec(key, time, columns, nul, other, missingIsNull, tag);
  }

  /** Returns the same with missing fields as null, or as an error. */
  public RecordSpec withMissingAsNull(boolean isNull) {
    return new RecordSpec(key, time, columns, nul, normal, isNull, tag);
  }

  /** Returns the same for records that get a field of this name. */
  public RecordSpec withTag(String field) {
    return new RecordSpec(key, time, columns, nul, normal, missingIsNull, field);
  }

  /** Returns the byte that ends a line. */
  public byte lineEnd() {
    return (byte) (nul ? 0 : '\n');
  }
}
