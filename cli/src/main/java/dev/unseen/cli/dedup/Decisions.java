package dev.unseen.cli.dedup;

import dev.unseen.Gate;
import dev.unseen.hash.Mix;
import java.util.Arrays;

/** What becomes of the pieces of a batch: a bit for each that is let through, or held back. */
final class Decisions {
  /** Tells the hash of a key that came again from that of the key. */
  private static final long AGAIN = 0x6A09E667F3BCC909L; // the digits of the root of 2

  private long[] answers = {};
  private long[] fresh = {};
  private long[] duplicate = {};
  private long[] rejected = {};
  private boolean rejects;
  private int freshCount;
  private int duplicateCount;
  private int uncheckedCount;
  private int skippedCount;
  private long skippedLines;
  private long skippedBytes;
  private int nullKeys;
  private long[] repeated = {};
  private int repeatedCount;

  /** Asks the gate about the records of a batch, all at once. */
  void decide(Batch batch, Gate gate) {
    int words = (batch.count() + Long.SIZE - 1) / Long.SIZE;
    if (fresh.length < words) {
      answers = new long[words];
      fresh = new long[words];
      duplicate = new long[words];
      rejected = new long[words];
    }
    rejects = false;
    freshCount =
        batch.times() == null
            ? gate.admitAll(batch.hashes(), 0, batch.keyed(), answers)
            : gate.admitAll(batch.hashes(), batch.times(), 0, batch.keyed(), answers);
    duplicateCount = batch.keyed() - freshCount;
    countOdds(batch, batch.count() - 1);
    freshCount += uncheckedCount;
    if (batch.odds() == 0) {
      takeAnswers(batch.count(), words);
    } else {
      spreadAnswers(batch, words);
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
    Arrays.fill(rejected, 0, words, 0);
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
      case PASSED, PASSED_MORE -> {
        set(fresh, piece);
      }
      case SKIPPED, SKIPPED_MORE -> {
        set(rejected, piece);
        rejects = true;
      }
      case NOTHING -> {}
    }
  }

  /** Counts the pieces, up to the last of these, that the gate is not asked about. */
  private void countOdds(Batch batch, int lastPiece) {
    uncheckedCount = 0;
    skippedCount = 0;
    skippedLines = 0;
    skippedBytes = 0;
    nullKeys = batch.nullsUpTo(lastPiece);
    for (int odd = 0; odd < batch.odds() && batch.oddAt(odd) <= lastPiece; odd++) {
      int piece = batch.oddAt(odd);
      Batch.Odd what = batch.oddWhat(odd);
      uncheckedCount += what == Batch.Odd.PASSED ? 1 : 0;
      skippedCount += what == Batch.Odd.SKIPPED ? 1 : 0;
      if (what == Batch.Odd.SKIPPED || what == Batch.Odd.SKIPPED_MORE) {
        skippedLines += batch.linesOf(piece);
        skippedBytes += batch.end(piece) - batch.start(piece);
      }
    }
  }

  /**
   * Finds the duplicates that are the first of their key. The same filter remembers which keys have
   * come again, under a second hash of each, so that memory stays as it is.
   */
  void findRepeated(Batch batch, Gate gate) {
    int words = (batch.count() + Long.SIZE - 1) / Long.SIZE;
    repeated = new long[words];
    long[] hashes = new long[duplicateCount];
    long[] times = batch.times() == null ? null : new long[duplicateCount];
    int[] pieces = new int[duplicateCount];
    int odd = 0;
    int record = 0;
    int count = 0;
    for (int i = 0; i < batch.count(); i++) {
      if (odd < batch.odds() && batch.oddAt(odd) == i) {
        odd++;
        if (isSet(duplicate, i)) { // a header
          set(repeated, i);
        }
      } else {
        if (isSet(duplicate, i)) {
          hashes[count] = Mix.mix(batch.hashes()[record] ^ AGAIN);
          if (times != null) {
            times[count] = batch.times()[record];
          }
          pieces[count++] = i;
        }
        record++;
      }
    }
    long[] first = new long[count / Long.SIZE + 1];
    repeatedCount =
        times == null
            ? gate.admitAll(hashes, 0, count, first)
            : gate.admitAll(hashes, times, 0, count, first);
    for (int i = 0; i < count; i++) {
      if (isSet(first, i)) {
        set(repeated, pieces[i]);
      }
    }
  }

  /** Forgets all pieces behind the first duplicate; whether there is one. */
  boolean endAtFirstDuplicate(Batch batch) {
    int count = batch.count();
    int end = 0;
    int news = 0;
    while (end < count && (isSet(fresh, end) || !isSet(duplicate, end))) {
      news += isSet(fresh, end) && !isSet(duplicate, end) ? 1 : 0; // a header is both
      end++;
    }
    if (end == count) {
      return false;
    }
    for (int i = end + 1; i < count; i++) {
      fresh[i / Long.SIZE] &= ~(1L << i);
      duplicate[i / Long.SIZE] &= ~(1L << i);
      rejected[i / Long.SIZE] &= ~(1L << i);
    }
    countOdds(batch, end);
    freshCount = news;
    duplicateCount = 1;
    return true;
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

  /** The duplicates that are the first of their key, once {@link #findRepeated} was called. */
  long[] repeated() {
    return repeated;
  }

  /** How many these are. */
  int repeatedCount() {
    return repeatedCount;
  }

  /** The pieces that cannot be used and are left out; null if there are none. */
  long[] rejected() {
    return rejects ? rejected : null;
  }

  /** The records let through. */
  int freshCount() {
    return freshCount;
  }

  /** The records taken for duplicates. */
  int duplicateCount() {
    return duplicateCount;
  }

  /** The records let through without asking the gate. */
  int uncheckedCount() {
    return uncheckedCount;
  }

  /** The records left out because they cannot be used. */
  int skippedCount() {
    return skippedCount;
  }

  /** Returns the number of lines of these records. */
  long skippedLines() {
    return skippedLines;
  }

  /** Returns the number of bytes of these records. */
  long skippedBytes() {
    return skippedBytes;
  }

  /** Returns the number of records with a null key, whatever became of them. */
  int nullKeys() {
    return nullKeys;
  }
}
