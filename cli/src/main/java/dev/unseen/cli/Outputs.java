package dev.unseen.cli;

import dev.unseen.io.RecordFormat;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Where records go: the main output, and the one for duplicates, if it is asked for. */
final class Outputs implements AutoCloseable {
  /** What of the records the main output gets. */
  enum Main {
    FRESH,
    DUPLICATES,
    ALL_TAGGED,
    COUNT_ONLY
  }

  private final Main main;
  private final boolean countsDuplicates;
  private final boolean endsLines; // of records that need not have ends
  private final RecordWriter out;
  private final RecordWriter duplicates; // null if nobody wants them
  private final RecordWriter rejects; // null if nobody wants them
  private final Tags tags;
  private final List<OutputFile> files = new ArrayList<>();

  /** Opens the files that the options name; records go to stdout if there is none. */
  Outputs(DedupOptions options, OutputStream stdout) throws Failure {
    byte lineEnd = (byte) (options.has("--zero-terminated") ? 0 : '\n');
    main = mainOf(options);
    countsDuplicates = options.has("--duplicates");
    endsLines = options.records().format() == RecordFormat.JSON;
    tags = options.tag() == null ? null : new Tags(options.records());
    String file = options.output();
    String second = options.duplicatesTo();
    if (file != null && file.equals(second)) {
      throw Failure.usage("--output and --duplicates-to are the same file: '" + file + "'", null);
    }
    String third = options.rejectsTo();
    if (third != null && (third.equals(file) || third.equals(second))) {
      throw Failure.usage("--rejects-to must be a file of its own, not '" + third + "'", null);
    }
    try {
      out =
          file == null
              ? new RecordWriter("stdout", stdout, lineEnd)
              : writer(OutputFile.open(file), lineEnd);
      duplicates = second == null ? null : writer(OutputFile.open(second), lineEnd);
      rejects = third == null ? null : writer(OutputFile.open(third), lineEnd);
    } catch (Failure e) {
      close();
      throw e;
    }
  }

  private static Main mainOf(DedupOptions options) throws Failure {
    boolean count = options.has("--count");
    if (options.tag() != null) {
      if (count || options.has("--duplicates")) {
        throw Failure.usage(
            "--tag keeps all records; it goes neither with --count nor with --duplicates", null);
      }
      return Main.ALL_TAGGED;
    }
    if (count) {
      return Main.COUNT_ONLY;
    }
    return options.has("--duplicates") ? Main.DUPLICATES : Main.FRESH;
  }

  private RecordWriter writer(OutputFile file, byte lineEnd) {
    files.add(file);
    return new RecordWriter(file.name(), file.stream(), lineEnd);
  }

  /** Writes the records of a batch to where they belong. */
  void write(Batch batch, Verdicts verdicts) throws Failure {
    switch (main) {
      case FRESH -> write(batch, verdicts.fresh(), out);
      case DUPLICATES -> write(batch, verdicts.duplicate(), out);
      case ALL_TAGGED -> tags.write(batch, verdicts, out);
      case COUNT_ONLY -> {}
    }
    if (duplicates != null) {
      write(batch, verdicts.duplicate(), duplicates);
    }
    if (rejects != null && verdicts.rejected() != null) {
      write(batch, verdicts.rejected(), rejects);
    }
  }

  /** Writes the runs of pieces whose bits are set. */
  private static void write(Batch batch, long[] bits, RecordWriter to) throws Failure {
    int count = batch.count();
    int first = next(bits, true, 0, count);
    while (first < count) {
      int stop = next(bits, false, first + 1, count);
      to.write(
          batch.bytes(), batch.start(first), batch.end(stop - 1), batch.isTerminated(stop - 1));
      first = next(bits, true, stop + 1, count);
    }
  }

  /** The first piece from {@code i} on whose bit is as asked; {@code count} if there is none. */
  private static int next(long[] bits, boolean wanted, int i, int count) {
    while (i < count) {
      long word = wanted ? bits[i / Long.SIZE] : ~bits[i / Long.SIZE];
      long rest = word >>> i; // the shift counts modulo 64
      if (rest != 0) {
        return Math.min(count, i + Long.numberOfTrailingZeros(rest));
      }
      i = (i | (Long.SIZE - 1)) + 1;
    }
    return count;
  }

  /** Hands all that was written to the operating system. */
  void flush() throws Failure {
    out.flush();
    if (duplicates != null) {
      duplicates.flush();
    }
    if (rejects != null) {
      rejects.flush();
    }
  }

  /** All records are written: adds the count, if it is asked for, and puts files in their place. */
  void commit(long fresh, long held) throws Failure {
    if (main == Main.COUNT_ONLY) {
      String count = (countsDuplicates ? held : fresh) + "\n";
      out.write(count.getBytes(StandardCharsets.US_ASCII));
    }
    if (endsLines) {
      endLines();
    }
    flush();
    for (OutputFile file : files) {
      file.commit();
    }
  }

  private void endLines() throws Failure {
    out.endLine();
    if (duplicates != null) {
      duplicates.endLine();
    }
    if (rejects != null) {
      rejects.endLine();
    }
  }

  /** Takes away files that are not in their place. */
  @Override
  public void close() {
    files.forEach(OutputFile::close);
  }
}
