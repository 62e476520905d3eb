package dev.unseen.io;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The formats of records in files. Each format is one class, and this is the list of them. */
@SuppressWarnings("ImmutableEnumChecker") // formats have no state, and suffixes do not change
public enum RecordFormat {
  /** A record is all bytes up to a newline. A carriage return belongs to the line. */
  LINES(new LineFormat()),

  /** Comma-separated values (RFC 4180): quotes, and newlines within them. */
  CSV(new TableFormat(",", '"'), ".csv"),

  /** Columns separated by tabs, without quotes. */
  TSV(new TableFormat("\t", ColumnSpec.NO_QUOTE), ".tsv"),

  /** JSON Lines: one JSON value per line. */
  JSONL(new JsonFormat(true), ".jsonl", ".ndjson"),

  /** JSON values one after the other, and the values of arrays. */
  JSON(new JsonFormat(false), ".json"),

  /** A record is a big-endian integer of 4 bytes. */
  INT32BE(new IntegerFormat(Integer.BYTES)),

  /** A record is a big-endian integer of 8 bytes. */
  INT64BE(new IntegerFormat(Long.BYTES));

  private final Format format;
  private final Set<String> suffixes; // of file names

  RecordFormat(Format format, String... suffixes) {
    this.format = format;
    this.suffixes = Set.of(suffixes);
  }

  /** Returns the name in lower case, for people. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the format with this id or suffix of a file, in upper or lower case: {@code jsonl},
   * {@code ndjson}.
   *
   * @throws IllegalArgumentException if there is none; the message lists all known ids
   */
  public static RecordFormat of(String id) {
    return of(id, format -> true);
  }

  /**
   * Returns the format with this id or suffix of a file, in upper or lower case.
   *
   * @param listed which of the known ids the message lists
   * @throws IllegalArgumentException if there is none
   */
  public static RecordFormat of(String id, Predicate<RecordFormat> listed) {
    return Arrays.stream(values())
        .filter(
            format ->
                format.id().equalsIgnoreCase(id)
                    || format.suffixes.contains("." + id.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "format '%s' is unknown; known: %s"
                        .formatted(
                            id,
                            Arrays.stream(values())
                                .filter(listed)
                                .map(RecordFormat::id)
                                .collect(Collectors.joining(", ")))));
  }

  /**
   * Guesses the format from the name of a file, with or without the suffix of a compression: {@code
   * .csv}, {@code .tsv}, {@code .jsonl} or {@code .ndjson}, {@code .json}; lines otherwise.
   */
  public static RecordFormat guess(String fileName) {
    String name = Compression.stripSuffix(fileName.toLowerCase(Locale.ROOT));
    return Arrays.stream(values())
        .filter(format -> format.suffixes.stream().anyMatch(name::endsWith))
        .findFirst()
        .orElse(LINES);
  }

  /** Returns whether its files are text, which people can read. */
  public boolean isText() {
    return !(format instanceof IntegerFormat);
  }

  /** Returns whether its records have columns. */
  public boolean hasColumns() {
    return format instanceof TableFormat;
  }

  /**
   * Rejects a spec that the format does not support, before any file is opened.
   *
   * @throws IllegalArgumentException if the format does not support it
   */
  public void check(RecordSpec spec) {
    format.check(spec, id());
  }

  /**
   * Returns a cutter for a file.
   *
   * @param file the name of the file in messages
   * @throws IllegalArgumentException if the format does not support these keys
   */
  public RecordCutter cutter(RecordSpec spec, String file) {
    check(spec);
    return format.cutter(spec, file);
  }

  /** Returns a tagger that adds the spec's tag to records. */
  public RecordTagger tagger(RecordSpec spec) {
    return format.tagger(spec);
  }
}
