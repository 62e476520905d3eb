package dev.unseen.io;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a record looks like in a file. Each format is one class; this is the list of them. */
public enum RecordFormat {
  /** A record is all bytes up to a newline. A carriage return belongs to the line. */
  LINES(new LineFormat()),

  /** Comma-separated values (RFC 4180): quotes, and newlines within them. */
  CSV(new TableFormat("csv", ",", '"')),

  /** Columns with tabs between them, and no quotes. */
  TSV(new TableFormat("tsv", "\t", ColumnSpec.NO_QUOTE)),

  /** JSON Lines: one JSON value a line. */
  JSONL(new JsonLinesFormat()),

  /** JSON values one behind the other, and the values of arrays. */
  JSON(new JsonFormat()),

  /** A record is a big-endian integer of 4 bytes. */
  INT32BE(new IntegerFormat(Integer.BYTES)),

  /** A record is a big-endian integer of 8 bytes. */
  INT64BE(new IntegerFormat(Long.BYTES));

  @SuppressWarnings("ImmutableEnumChecker") // its classes are; they have no state
  private final Format format;

  RecordFormat(Format format) {
    this.format = format;
  }

  /** The name in lower case, for people. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The format with this id, in any case.
   *
   * @throws IllegalArgumentException with the known ids, if there is none
   */
  public static RecordFormat of(String id) {
    return Arrays.stream(values())
        .filter(format -> format.id().equalsIgnoreCase(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "format '%s' is unknown; known: %s".formatted(id, knownIds())));
  }

  /**
   * A guess from the name of a file, whatever it is compressed with: {@code .csv}, {@code .tsv},
   * {@code .jsonl} or {@code .ndjson}, {@code .json}; lines otherwise.
   */
  public static RecordFormat guess(String fileName) {
    String name = Compression.stripSuffix(fileName.toLowerCase(Locale.ROOT));
    return Arrays.stream(values())
        .filter(format -> format.format.suffixes().stream().anyMatch(name::endsWith))
        .findFirst()
        .orElse(LINES);
  }

  /** Returns a file's name without the suffix of its compression. */
  public static String unpackedName(String fileName) {
    return Compression.stripSuffix(fileName);
  }

  private static String knownIds() {
    return Arrays.stream(values()).map(RecordFormat::id).collect(Collectors.joining(", "));
  }

  /** Whether its files are text, which people and pipes can read. */
  public boolean isText() {
    return format.isText();
  }

  /** Whether its records have columns. */
  public boolean hasColumns() {
    return format instanceof TableFormat;
  }

  /**
   * Refuses, before a file is touched, what can be seen to be wrong without it.
   *
   * @throws IllegalArgumentException if the format has nothing of the kind
   */
  public void check(RecordSpec spec) {
    format.check(spec, id());
  }

  /**
   * Returns a cutter for a file.
   *
   * @param file stands for it in messages
   * @throws IllegalArgumentException if the format has no such keys
   */
  public RecordCutter cutter(RecordSpec spec, String file) {
    check(spec);
    return format.cutter(spec, file);
  }

  /** Returns what adds the spec's tag to records. */
  public RecordTagger tagger(RecordSpec spec) {
    return format.tagger(spec);
  }
}
