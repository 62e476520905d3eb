package dev.unseen.cli.dedup;

import dev.unseen.commands.OnError;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.InputException;
import dev.unseen.io.RecordCutter;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordReader;
import dev.unseen.io.Source;
import java.util.Iterator;
import java.util.List;

/** Reads all files, one after the other. */
final class Inputs {
  private final Iterator<String> files;
  private final RecordOptions records;
  private Source source; // null between files
  private RecordReader reader;
  private Origin origin;
  private boolean first = true;
  private long position; // of all files that were read to their end
  private List<String> header; // of the first file that has one
  private String headerOf;

  Inputs(DedupOptions options) {
    files = options.files().iterator();
    records = options.records();
  }

  /** Brings the bytes of a read into a batch; false at the end of the last file. */
  boolean read(Batch batch) throws InputException {
    boolean read = false;
    while (!read && (source != null || files.hasNext())) {
      if (source == null) {
        open(files.next());
      }
      batch.from(origin, reader);
      read = reader.read(batch);
      batch.position = position + source.position();
      if (!read) {
        position += source.position();
        source.close();
        source = null;
      }
    }
    return read;
  }

  private void open(String path) throws InputException {
    origin = new Origin(Source.nameOf(path), first);
    first = false;
    RecordCutter cutter = records.format().cutter(records.spec(), origin.name);
    source = Source.open(path);
    reader = new RecordReader(source, cutter, records.spec(), records.maxRecordBytes());
  }

  /** What a batch asks of the file that its records are from. */
  final class Origin {
    final String name; // for messages
    final boolean first;
    final byte lineEnd = records.spec().lineEnd();

    /** Whether each record ends with a line end. */
    final boolean hasLines = records.format() != RecordFormat.JSON;

    /** Whether records that cannot be used are let through. */
    final boolean passesUnusable = records.onError() == OnError.PASS;

    /** The lines in the batches that were decided, if {@code --late fail} asks for them. */
    long linesDecided;

    Origin(String name, boolean first) {
      this.name = name;
      this.first = first;
    }

    /** Returns whether it is the first file that has a header. */
    boolean takesHeader(List<String> columns) throws InputException {
      if (header == null) {
        header = columns;
        headerOf = name;
        return true;
      }
      if (!header.equals(columns)) {
        throw new InputException(
            "the header of %s differs from that of %s, and one output has one header; run them one by one"
                .formatted(name, headerOf));
      }
      return false;
    }

    /** Returns what to do with a record that cannot be used. */
    Batch.Special unusable(long line, long column, String reason) throws InputException {
      return switch (records.onError()) {
        case PASS -> Batch.Special.PASSED;
        case SKIP -> Batch.Special.SKIPPED;
        case FAIL ->
            throw new InputException(
                "%s, line %d, column %d: %s, or continue with --on-error skip"
                    .formatted(name, line, column, reason));
      };
    }
  }
}
