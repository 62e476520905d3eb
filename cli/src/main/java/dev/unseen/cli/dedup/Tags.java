package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.RecordTagger;

/**
 * Keeps all records and marks each as {@code new} or {@code duplicate}, as their format has it: in
 * a field of a JSON object, in the last column of CSV and TSV, before a tab at the beginning of a
 * line. What has no key has no mark either.
 */
final class Tags {
  private final RecordTagger tagger;

  Tags(RecordOptions records) {
    tagger = records.format().tagger(records.spec());
  }

  /** Writes the pieces of a batch, except those that have no output. */
  void write(Batch batch, Decisions decisions, RecordWriter out) throws CliException {
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
}
