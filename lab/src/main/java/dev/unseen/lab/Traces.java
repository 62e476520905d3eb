package dev.unseen.lab;

import dev.unseen.io.Compression;
import dev.unseen.io.KeyReader;
import dev.unseen.io.KeySpec;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSpec;
import dev.unseen.lab.trial.HeldStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options that say how real data is read; and the traces that come with the lab. */
final class Traces {
  private static final List<String> BUNDLED =
      List.of("orm-busy.trace.xz", "orm-night.trace.xz", "web12.trace.xz", "web07.trace.xz");

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      description =
          "Format of the data: lines, csv, tsv, jsonl, json, int32be or int64be. Default: guessed"
              + " from the name of the file; .trace is int32be.")
  private String format;

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description =
          "Fields of JSON Lines, or columns of CSV by name or number, that form the key. Default:"
              + " the whole record.")
  private String key;

  boolean areDescribed() {
    return format != null || key != null;
  }

  HeldStream read(Path file, long seed) throws IOException {
    RecordFormat records = format == null ? guess(file) : RecordFormat.of(format);
    KeySpec fields = key == null ? KeySpec.WHOLE_RECORD : KeySpec.of(key);
    try (KeyReader keys = KeyReader.open(file, records, RecordSpec.of(fields))) {
      return HeldStream.read(file.getFileName().toString(), keys, seed);
    }
  }

  /** Reads a file under this name; its records are the keys. */
  static HeldStream whole(Path file, String name, long seed) throws IOException {
    try (KeyReader keys = KeyReader.open(file, guess(file), RecordSpec.WHOLE_RECORDS)) {
      return HeldStream.read(name, keys, seed);
    }
  }

  /** Guesses a format: {@code .trace} is the usual suffix of cache traces, which are int32be. */
  private static RecordFormat guess(Path file) {
    String name = Compression.stripSuffix(file.toString().toLowerCase(Locale.ROOT));
    if (name.endsWith(".trace") || name.endsWith(".int32be")) {
      return RecordFormat.INT32BE;
    }
    return name.endsWith(".int64be") ? RecordFormat.INT64BE : RecordFormat.guess(file.toString());
  }

  /** Reads the four traces that come with the lab. */
  static List<HeldStream> bundled(long seed) throws IOException {
    List<HeldStream> streams = new ArrayList<>();
    for (String name : BUNDLED) {
      try (KeyReader keys =
          KeyReader.of(
              Traces.class.getResourceAsStream("traces/" + name),
              name,
              RecordFormat.INT32BE,
              RecordSpec.WHOLE_RECORDS)) {
        streams.add(HeldStream.read(name, keys, seed));
      }
    }
    return streams;
  }
}
