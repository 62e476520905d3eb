package dev.unseen.io;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a file is cut into records. */
public enum RecordFormat {
  /** A record is a line: the bytes up to a newline. A carriage return belongs to the line. */
  LINES,

  /** Comma-separated values (RFC 4180): quotes, and newlines within them. */
  CSV,

  /** The same with tabs between the columns. */
  TSV,

  /** JSON Lines: one JSON value a line. */
  JSONL,

  /** A record is a big-endian integer of 4 bytes. */
  INT32BE,

  /** A record is a big-endian integer of 8 bytes. */
  INT64BE;

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
   * A guess from the name of a file: {@code .csv}, {@code .tsv}, {@code .jsonl} or {@code .ndjson},
   * each also with {@code .gz}, {@code .xz} or {@code .zst} behind; lines otherwise.
   */
  public static RecordFormat guess(String fileName) {
    String name = Compression.stripSuffix(fileName.toLowerCase(Locale.ROOT));
    if (name.endsWith(".csv")) {
      return CSV;
    }
    if (name.endsWith(".tsv")) {
      return TSV;
    }
    return name.endsWith(".jsonl") || name.endsWith(".ndjson") ? JSONL : LINES;
  }

  private static String knownIds() {
    return Arrays.stream(values()).map(RecordFormat::id).collect(Collectors.joining(", "));
  }
}
