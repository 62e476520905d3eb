package dev.unseen.lab;

import dev.unseen.io.Compression;
import dev.unseen.io.RecordFormat;
import java.nio.file.Path;
import java.util.Locale;

/** Determines the format of a trace file: the one that the user chose, or a guess from its name. */
final class TraceFormat {
  /** The usual suffix of cache traces, also of those in this module. */
  private static final String TRACE = ".trace";

  private TraceFormat() {}

  /**
   * Returns the format.
   *
   * @param named the format that the user chose; null to guess it from the name of the file, where
   *     {@code .trace} is int32be, and {@code .int32be} and {@code .int64be} are what they say
   */
  static RecordFormat of(String named, Path file) {
    if (named != null) {
      return RecordFormat.of(named);
    }
    String name = Compression.stripSuffix(file.toString().toLowerCase(Locale.ROOT));
    if (name.endsWith(TRACE) || name.endsWith(".int32be")) {
      return RecordFormat.INT32BE;
    }
    return name.endsWith(".int64be") ? RecordFormat.INT64BE : RecordFormat.guess(file.toString());
  }
}
