package dev.unseen.lab;

import dev.unseen.io.KeyReader;
import dev.unseen.io.KeySpec;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSpec;
import dev.unseen.lab.trial.HeldStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** Reads a file. */
  HeldStream read(Path file, long seed) throws IOException {
    RecordFormat records = TraceFormat.of(format, file);
    KeySpec fields = key == null ? KeySpec.WHOLE_RECORD : KeySpec.of(key);
    try (KeyReader keys = KeyReader.open(file, records, RecordSpec.of(fields))) {
      return HeldStream.read(file.getFileName().toString(), keys, seed);
    }
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
