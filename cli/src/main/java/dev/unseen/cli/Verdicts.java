package dev.unseen.cli;

import dev.unseen.audit.Audit;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.Windowed;
import java.util.Arrays;
import java.util.Optional;

/** What becomes of the pieces of a batch: a bit for each that is let through, or held back. */
final class Verdicts {
  private long[] answers = {};
  private long[] fresh = {};
  private long[] duplicate = {};
  private int freshCount;
  private int duplicateCount;
  private int withoutKey;

  /** Asks the filter about the records of a batch, all at once. */
  void decide(Batch batch, DuplicateFilter filter, Optional<Audit> audit) {
    int words = (batch.count() + Long.SIZE - 1) / Long.SIZE;
    if (fresh.length < words) {
      answers = new long[words];
      fresh = new long[words];
      duplicate = new long[words];
    }
    freshCount =
        batch.times() == null ? admitNow(batch, filter, audit) : admitByTime(batch, filter, audit);
    duplicateCount = batch.keyed() - freshCount;
    withoutKey = 0;
    if (batch.odds() == 0) {
      takeAnswers(batch.count(), words);
    } else {
      spreadAnswers(batch, words);
    }
  }

  private int admitNow(Batch batch, DuplicateFilter filter, Optional<Audit> audit) {
    if (filter.spec().window().isTime()) {
      advance(System.currentTimeMillis(), filter, audit);
    }
    int admitted = filter.admitAll(batch.hashes(), 0, batch.keyed(), answers);
    if (audit.isPresent()) {
      audit.get().observeAll(batch.hashes(), 0, batch.keyed(), answers);
    }
    return admitted;
  }

  private static void advance(long millis, DuplicateFilter filter, Optional<Audit> audit) {
    filter.advanceTo(millis);
    audit.ifPresent(watching -> watching.advanceTo(millis));
  }

  /** In runs of records between which the filter's time makes no step. */
  private int admitByTime(Batch batch, DuplicateFilter filter, Optional<Audit> audit) {
    Windowed windowed = (Windowed) filter;
    long[] times = batch.times();
    long[] run = new long[answers.length];
    Arrays.fill(answers, 0);
    int admitted = 0;
    int from = 0;
    while (from < batch.keyed()) {
      advance(times[from], filter, audit);
      int to = from + 1;
      while (to < batch.keyed() && times[to] < windowed.nextStepAt()) {
        to++;
      }
      admitted += filter.admitAll(batch.hashes(), from, to - from, run);
      if (audit.isPresent()) {
        observe(batch, from, to, run, audit.get());
      }
      for (int i = from; i < to; i++) {
        if (isSet(run, i - from)) {
          set(answers, i);
        }
      }
      from = to;
    }
    return admitted;
  }

  /** One by one, since within a step of the filter time still goes on for the truth. */
  private static void observe(Batch batch, int from, int to, long[] run, Audit audit) {
    for (int i = from; i < to; i++) {
      audit.advanceTo(batch.times()[i]);
      audit.observe(batch.hashes()[i], isSet(run, i - from));
    }
  }

  private void takeAnswers(int count, int words) {
    for (int i = 0; i < words; i++) {
      fresh[i] = answers[i];
      duplicate[i] = ~answers[i];
    }
    if (count % Long.SIZE != 0) {
      duplicate[words - 1] &= (1L << count) - 1; // the shift counts modulo 64
    }
  }

  /** The filter was asked about records with a key only: others stand between them. */
  private void spreadAnswers(Batch batch, int words) {
    Arrays.fill(fresh, 0, words, 0);
    Arrays.fill(duplicate, 0, words, 0);
    int odd = 0;
    int record = 0;
    for (int i = 0; i < batch.count(); i++) {
      if (odd < batch.odds() && batch.oddAt(odd) == i) {
        oddOne(batch.oddWhat(odd++), i);
      } else {
        set(isSet(answers, record++) ? fresh : duplicate, i);
      }
    }
  }

  private void oddOne(Batch.Odd what, int piece) {
    switch (what) {
      case HEADER, MARK -> {
        set(fresh, piece);
        set(duplicate, piece);
      }
      case PASSED -> {
        set(fresh, piece);
        freshCount++;
        withoutKey++;
      }
      case SKIPPED -> withoutKey++;
      case NOTHING -> {}
    }
  }

  private static void set(long[] bits, int i) {
    bits[i / Long.SIZE] |= 1L << i;
  }

  static boolean isSet(long[] bits, int i) {
    return (bits[i / Long.SIZE] >>> i & 1) != 0;
  }

  /** The pieces to let through. */
  long[] fresh() {
    return fresh;
  }

  /** The pieces that are taken for duplicates. A header is among both. */
  long[] duplicate() {
    return duplicate;
  }

  /** The records let through. */
  int freshCount() {
    return freshCount;
  }

  /** The records taken for duplicates. */
  int duplicateCount() {
    return duplicateCount;
  }

  /** The records that had no key. */
  int withoutKey() {
    return withoutKey;
  }
}
