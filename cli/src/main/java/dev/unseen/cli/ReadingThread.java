package dev.unseen.cli;

import dev.unseen.cli.DedupOptions.OnError;
import dev.unseen.io.CutSpec;
import dev.unseen.io.InputException;
import dev.unseen.io.RecordCutter;
import dev.unseen.io.RecordFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads all files, one after the other, cuts them into records, hashes the keys, and hands batches
 * over. When it is ahead of the filter it writes. It may wait for input for ever, so it does not
 * keep the process alive.
 */
final class ReadingThread extends Thread {
  private final DedupOptions options;
  private final CutSpec cuts;
  private final OnError onError;
  private final Handover handover;
  private final Writing writing;
  private final AtomicLong position = new AtomicLong();
  private List<String> header; // of the first file that has one
  private String headerOf;

  ReadingThread(DedupOptions options, Handover handover, Writing writing) throws Failure {
    super("reading");
    setDaemon(true);
    this.options = options;
    this.cuts = options.cuts();
    this.onError = options.onError();
    this.handover = handover;
    this.writing = writing;
  }

  /** Refuses what can be seen to be wrong before anything is read. */
  static void check(DedupOptions options) throws Failure {
    options.cuts();
    options.onError();
    for (String file : options.files()) {
      options.format(file);
    }
  }

  @Override
  public void run() {
    Throwable why = null;
    try {
      List<String> files = options.files();
      for (int i = 0; i < files.size(); i++) {
        read(files.get(i), i == 0);
      }
    } catch (Throwable e) { // whatever it is, the other thread is to know
      why = e;
    }
    handover.end(why);
  }

  private void read(String path, boolean first) throws Failure, InterruptedException {
    FileOrigin origin = new FileOrigin(Input.nameOf(path), options.format(path), first);
    RecordCutter cutter = cuts.cutter(origin.format(), origin.name());
    try (Input input = Input.open(path, position)) {
      RecordReader reader = new RecordReader(input, cutter, origin);
      while (readBatch(reader, origin)) {
        // goes on
      }
    }
  }

  private boolean readBatch(RecordReader reader, FileOrigin origin)
      throws Failure, InterruptedException {
    Batch batch = empty();
    try {
      return reader.fill(batch);
    } finally {
      origin.pieces += batch.count();
      if (batch.count() > 0) { // also what came before a failure
        handover.put(batch);
      } else {
        handover.giveBack(batch);
      }
    }
  }

  private Batch empty() throws Failure, InterruptedException {
    Batch batch = handover.empty();
    while (batch == null) {
      writing.writeNext();
      batch = handover.empty();
    }
    return batch;
  }

  private final class FileOrigin implements Batch.Origin {
    private final String name;
    private final RecordFormat format;
    private final boolean first;
    private long pieces;

    FileOrigin(String name, RecordFormat format, boolean first) {
      this.name = name;
      this.format = format;
      this.first = first;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public RecordFormat format() {
      return format;
    }

    @Override
    public long records() {
      return pieces;
    }

    @Override
    public boolean isFirst() {
      return first;
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
    public Batch.Odd withoutKey(long line, long column, String reason) throws InputException {
      return switch (onError) {
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
