package dev.unseen.lab;

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
   *     {@code .trace} is int32be
   */
  static RecordFormat of(String named, Path file) {
    if (named != null) {
      return RecordFormat.of(named);
    }
    String name = file.toString().toLowerCase(Locale.ROOT);
    return RecordFormat.unpackedName(name).endsWith(TRACE)
        ? RecordFormat.INT32BE
        : RecordFormat.guess(file.toString());
  }
}
