package dev.unseen.lab;

import dev.unseen.io.RecordFormat;
import java.nio.file.Path;
import java.util.Locale;

/** The format of a file that is to be measured on: as named, or guessed. */
final class TraceFormat {
  /** As the traces of caches are called, among them those in this module. */
  private static final String TRACE = ".trace";

  private TraceFormat() {}

  /**
   * The format.
   *
   * @param named null to guess it from the name of the file; {@code .trace} is int32be then
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
