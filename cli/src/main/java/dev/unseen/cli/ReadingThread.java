package dev.unseen.cli;

import dev.unseen.io.InputException;
import dev.unseen.io.OnError;
import dev.unseen.io.RecordCutter;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordOptions;
import dev.unseen.io.RecordReader;
import dev.unseen.io.Source;
import java.util.List;

/**
 * Reads all files, one after the other, cuts them into records, hashes the keys, and hands batches
 * over. When it is ahead of the filter it writes. It may wait for input for ever, so it does not
 * keep the process alive.
 */
final class ReadingThread extends Thread {
  /** A batch this large has grown for a long record. */
  private static final int LONG_BATCH = 4 << 20;

  private final List<String> files;
  private final RecordOptions records;
  private final Handover handover;
  private final Writing writing;
  private long position; // of all files that were read to their end
  private boolean
      afterLong; // the last batch has a long record: two of them must not be out at once
  private List<String> header; // of the first file that has one
  private String headerOf;

  ReadingThread(DedupOptions options, Handover handover, Writing writing) throws Failure {
    super("reading");
    setDaemon(true);
    this.files = options.files();
    this.records = options.records();
    this.handover = handover;
    this.writing = writing;
  }

  @Override
  public void run() {
    Throwable why = null;
    try {
      for (int i = 0; i < files.size(); i++) {
        read(files.get(i), i == 0);
      }
    } catch (Throwable e) { // whatever it is, the other thread is to know
      why = e;
    }
    handover.end(why);
  }

  private void read(String path, boolean first)
      throws Failure, InputException, InterruptedException {
    FileOrigin origin = new FileOrigin(Source.nameOf(path), first);
    RecordCutter cutter = records.format().cutter(records.spec(), origin.name());
    try (Source source = Source.open(path)) {
      RecordReader reader =
          new RecordReader(source, cutter, records.spec(), records.maxRecordBytes());
      while (readBatch(reader, source, origin)) {
        // goes on
      }
      position += source.position();
    }
  }

  private boolean readBatch(RecordReader reader, Source source, FileOrigin origin)
      throws Failure, InputException, InterruptedException {
    Batch batch = empty();
    batch.from(origin);
    try {
      return reader.fill(batch);
    } finally {
      batch.position(position + source.position());
      afterLong = batch.bytes().length > LONG_BATCH;
      if (batch.count() > 0) { // also what came before a failure
        handover.put(batch);
      } else {
        handover.giveBack(batch);
      }
    }
  }

  private Batch empty() throws Failure, InterruptedException {
    Batch batch = handover.empty(afterLong);
    while (batch == null) {
      writing.writeNext();
      batch = handover.empty(afterLong);
    }
    return batch;
  }

  private final class FileOrigin implements Batch.Origin {
    private final String name;
    private final boolean first;

    FileOrigin(String name, boolean first) {
      this.name = name;
      this.first = first;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean isFirst() {
      return first;
    }

    @Override
    public boolean hasLines() {
      return records.format() != RecordFormat.JSON;
    }

    @Override
    public boolean takesHeader(List<String> columns) throws InputException {
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

    @Override
    public boolean passesUnusable() {
      return records.onError() == OnError.PASS;
    }

    @Override
    public Batch.Odd unusable(long line, long column, String reason) throws InputException {
      return switch (records.onError()) {
        case PASS -> Batch.Odd.PASSED;
        case SKIP -> Batch.Odd.SKIPPED;
        case FAIL ->
            throw new InputException(
                "%s, line %d, column %d: %s, or go on with --on-error skip"
                    .formatted(name, line, column, reason));
      };
    }
  }
}
