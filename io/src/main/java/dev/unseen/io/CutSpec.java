package dev.unseen.io;

import java.util.Objects;

/**
 * How files are cut into records, and what their keys are.
 *
 * @param key the fields of the key
 * @param separator between the columns of CSV and TSV; 0 for that of the format
 * @param nul whether lines end with NUL, not with a newline
 * @param normal what is taken for equal
 */
public record CutSpec(KeySpec key, char separator, boolean nul, Normal normal) {
  /** Whole records, as they are. */
  public static final CutSpec WHOLE_RECORDS =
      new CutSpec(KeySpec.WHOLE_RECORD, '\0', false, Normal.NOTHING);

  /** Refuses a separator that is none. */
  public CutSpec {
    Objects.requireNonNull(key);
    Objects.requireNonNull(normal);
    if (separator > 0x7F || "\"\r\n".indexOf(separator) >= 0) {
      throw new IllegalArgumentException(
          "separator '%s' must be one ASCII character, neither a quote nor a line end"
              .formatted(separator));
    }
  }

  /**
   * A cutter for a file.
   *
   * @param file stands for it in messages
   * @throws IllegalArgumentException if the format has no such keys
   */
  public RecordCutter cutter(RecordFormat format, String file) {
    check(format);
    byte end = (byte) (nul ? 0 : '\n');
    return switch (format) {
      case LINES -> new LineCutter(end, normal);
      case JSONL ->
          key.isWholeRecord() ? new LineCutter(end, normal) : new JsonCutter(end, this, file);
      case CSV, TSV -> new CsvCutter(separatorOf(format), this, file);
      case INT32BE, INT64BE -> throw noLines(format);
    };
  }

  /** Refuses, before a file is touched, what can be seen to be wrong without it. */
  public void check(RecordFormat format) {
    if (format == RecordFormat.INT32BE || format == RecordFormat.INT64BE) {
      throw noLines(format);
    }
    KeyReaders.check(format, key);
    boolean columns = format == RecordFormat.CSV || format == RecordFormat.TSV;
    if (columns && nul) {
      throw new IllegalArgumentException(
          "NUL ends lines, and format %s has its own ends; use format lines or jsonl"
              .formatted(format.id()));
    }
    if (!columns && separator != 0) {
      throw new IllegalArgumentException(
          "separator '%s' needs format csv or tsv; format %s has no columns"
              .formatted(separator, format.id()));
    }
  }

  private static IllegalArgumentException noLines(RecordFormat format) {
    return new IllegalArgumentException(
        "format %s has no lines; known here: lines, csv, tsv, jsonl".formatted(format.id()));
  }

  /** What is between the columns. */
  public char separatorOf(RecordFormat format) {
    if (separator != 0) {
      return separator;
    }
    return format == RecordFormat.TSV ? '\t' : ',';
  }
}
