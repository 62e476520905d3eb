package dev.unseen.cli.dedup;

import dev.unseen.cli.dedup.DedupOptions.OutputOptions;
import dev.unseen.cli.dedup.DedupOptions.OutputOptions.Selection;
import dev.unseen.commands.CliException;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.RecordTagger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Where records go: the main output, and those for duplicates and rejects, if asked for. */
final class Outputs implements AutoCloseable {
  private final Selection selection;
  private final boolean count;
  private final RecordTagger tagger; // null: records are not tagged
  private final List<RecordWriter> writers = new ArrayList<>();
  private final RecordWriter duplicates; // null: not asked for
  private final RecordWriter rejects; // null: not asked for
  private final RecordWriter out;
  private long repeated;

  /** Opens the outputs that the options name; records go to standard output if there is none. */
  Outputs(DedupOptions options, OutputPlaces opener) throws CliException {
    OutputOptions outputs = options.outputs();
    byte lineEnd = options.records().spec().lineEnd();
    String second = outputs.duplicatesTo();
    String third = outputs.rejectsTo();
    selection = outputs.selection();
    count = outputs.count();
    RecordOptions records = options.records();
    tagger = selection == Selection.ALL_TAGGED ? records.format().tagger(records.spec()) : null;
    try {
      // First what may wait for a reader, such as a pipe: until then nothing is to be taken away.
      duplicates = second == null ? null : writer(opener.live(second), false, lineEnd);
      rejects = third == null ? null : writer(opener.live(third), false, lineEnd);
      out = writer(opener.replaced(outputs.path()), true, lineEnd);
    } catch (CliException e) {
      close();
      throw e;
    }
  }

  private RecordWriter writer(Output place, boolean isMain, byte lineEnd) {
    RecordWriter writer = new RecordWriter(place, isMain, lineEnd);
    writers.add(writer);
    return writer;
  }

  /** Returns whether records are held back until the end of the run. */
  boolean areHeldBack() {
    return writers.stream().anyMatch(writer -> writer.place().isHeldBack());
  }

  /** Writes the records of a batch to where they belong. */
  void write(Batch batch, Decisions decisions) throws CliException {
    long[] held = duplicates == null ? null : appended(batch, decisions.duplicate());
    if (count) {
      repeated += selection == Selection.REPEATED ? decisions.repeatedCount() : 0;
    } else {
      switch (selection) {
        case FRESH -> write(batch, decisions.fresh(), out);
        case DUPLICATES -> write(batch, decisions.duplicate(), out);
        case REPEATED -> write(batch, decisions.repeated(), out);
        case ALL_TAGGED -> writeTagged(batch, decisions);
      }
    }
    if (duplicates != null) {
      write(batch, held, duplicates);
    }
    if (rejects != null && decisions.rejected() != null) {
      write(batch, decisions.rejected(), rejects);
    }
  }

  /** Returns the pieces without a header and mark, if the file of the duplicates has them. */
  private long[] appended(Batch batch, long[] pieces) throws CliException {
    if (duplicates.place().older().isEmpty()) {
      return pieces;
    }
    long[] without = pieces;
    for (int special = 0; special < batch.specials(); special++) {
      Batch.Special what = batch.specialKind(special);
      if (what == Batch.Special.HEADER || what == Batch.Special.MARK) {
        int piece = batch.specialAt(special);
        without = without == pieces ? pieces.clone() : without;
        without[piece / Long.SIZE] &= ~(1L << piece);
        if (what == Batch.Special.HEADER) {
          checkHeader(batch, piece);
        }
      }
    }
    return without;
  }

  private void checkHeader(Batch batch, int piece) throws CliException {
    OlderContent older = duplicates.place().older();
    try {
      if (!older.beginsWith(batch.bytes(), batch.start(piece), batch.end(piece))) {
        throw CliException.inputOrOutput(
            "the header of '%s' differs from that of %s, and the file is appended to; name another file with --duplicates-to"
                .formatted(older.path(), batch.origin().name),
            null);
      }
    } catch (IOException e) {
      throw CliException.of(e);
    }
  }

  /** Writes the runs of pieces whose bits are set. */
  private static void write(Batch batch, long[] bits, RecordWriter to) throws CliException {
    int count = batch.count();
    int first = next(bits, true, 0, count);
    while (first < count) {
      int stop = next(bits, false, first + 1, count);
      to.write(
          batch.bytes(), batch.start(first), batch.end(stop - 1), batch.isTerminated(stop - 1));
      first = next(bits, true, stop + 1, count);
    }
  }

  /** Writes the pieces that have output. Those without a key are not marked. */
  private void writeTagged(Batch batch, Decisions decisions) throws CliException {
    byte[] bytes = batch.bytes();
    for (int i = 0; i < batch.count(); i++) {
      boolean fresh = Decisions.isSet(decisions.fresh(), i);
      if (!fresh && !Decisions.isSet(decisions.duplicate(), i)) {
        continue;
      }
      int start = batch.start(i);
      int end = batch.end(i);
      Batch.Special special = batch.oddOf(i);
      if (special == null) {
        tagger.tag(bytes, start, end, fresh);
      } else if (special == Batch.Special.HEADER) {
        tagger.tagHeader(bytes, start, end);
      } else {
        out.write(bytes, start, end, batch.isTerminated(i));
        continue;
      }
      out.write(bytes, start, tagger.from(), true);
      out.write(tagger.text());
      out.write(bytes, tagger.to(), end, batch.isTerminated(i));
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
  void flush() throws CliException {
    out.flush();
    for (RecordWriter writer : writers) {
      writer.flush();
    }
  }

  /** Brings to the disk what was flushed, as far as it is not held back. */
  void force() throws CliException {
    for (RecordWriter writer : writers) {
      writer.force();
    }
  }

  /** Writes the count, if it is asked for: all records are decided. */
  void writeEnd(RunCounts counts) throws CliException {
    if (count) {
      long number =
          switch (selection) {
            case REPEATED -> repeated;
            case DUPLICATES -> counts.duplicates;
            default -> counts.fresh;
          };
      out.write((number + "\n").getBytes(StandardCharsets.US_ASCII));
    }
  }

  /** Puts every output in its place: all is written and flushed. */
  void commit() throws CliException {
    for (RecordWriter writer : writers) {
      writer.commit();
    }
  }

  /** Ends all outputs. What is held back and was not committed is discarded. */
  @Override
  public void close() {
    writers.forEach(writer -> writer.place().close());
  }
}
