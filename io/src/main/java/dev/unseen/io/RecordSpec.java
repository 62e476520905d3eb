package dev.unseen.io;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Describes how files are cut into records, and what is used of each record.
 *
 * @param key the fields of the key
 * @param time the field with the record's time, written like a field of the key; null if records
 *     have no time
 * @param columns how lines are divided into columns, in formats that have them
 * @param nul whether lines end with NUL instead of a newline
 * @param normal the differences between keys that are ignored
 * @param missingIsNull whether a key may be null: a missing field is null in JSON, and empty in a
 *     table, and a key whose fields are all null or empty is a key like any other. Otherwise both
 *     are errors
 * @param tag the field that is added to each record; null if there is none
 */
public record RecordSpec(
    KeySpec key,
    @Nullable String time,
    ColumnSpec columns,
    boolean nul,
    KeyNormalization normal,
    boolean missingIsNull,
    @Nullable String tag) {
  /** The spec in which the whole record, unchanged, is the key. */
  public static final RecordSpec WHOLE_RECORDS = of(KeySpec.WHOLE_RECORD);

  /** Rejects a time without a key. */
  public RecordSpec {
    Objects.requireNonNull(key);
    Objects.requireNonNull(columns);
    Objects.requireNonNull(normal);
    if (time != null && key.isWholeRecord()) {
      throw new IllegalArgumentException(
          "a time needs a key: records that differ in their time are not the same as a whole");
    }
  }

  /** Returns a spec with this key and the defaults. */
  public static RecordSpec of(KeySpec key) {
    return new RecordSpec(
        key, null, ColumnSpec.OF_FORMAT, false, KeyNormalization.NOTHING, false, null);
  }

  /** Returns a copy of this spec that divides lines into columns in this way. */
  public RecordSpec withColumns(ColumnSpec others) {
    return new RecordSpec(key, time, others, nul, normal, missingIsNull, tag);
  }

  /** Returns a copy of this spec with this key. */
  public RecordSpec withKey(KeySpec other) {
    return new RecordSpec(other, time, columns, nul, normal, missingIsNull, tag);
  }

  /** Returns a copy of this spec with this field as the time. */
  public RecordSpec withTime(@Nullable String field) {
    return new RecordSpec(key, field, columns, nul, normal, missingIsNull, tag);
  }

  /** Returns a copy of this spec that ignores these differences between keys. */
  public RecordSpec withNormal(KeyNormalization other) {
    return new RecordSpec(key, time, columns, nul, other, missingIsNull, tag);
  }

  /**
   * Returns a copy of this spec in which a missing field is null, and null is a key (true), or both
   * are errors (false).
   */
  public RecordSpec withMissingAsNull(boolean isNull) {
    return new RecordSpec(key, time, columns, nul, normal, isNull, tag);
  }

  /** Returns the byte that ends a line. */
  public byte lineEnd() {
    return (byte) (nul ? 0 : '\n');
  }
}
