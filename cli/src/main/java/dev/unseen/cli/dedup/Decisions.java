package dev.unseen.cli.dedup;

import dev.unseen.Gate;
import dev.unseen.hash.Mix;
import java.util.Arrays;

/** What becomes of the pieces of a batch: a bit for each that is let through, or held back. */
final class Decisions {
  /** Distinguishes the hash of a repeated key from that of the key. */
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
    if (batch.specials() == 0) {
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

  /** Spreads the answers, which are for records with a key only, over all pieces. */
  private void spreadAnswers(Batch batch, int words) {
    Arrays.fill(fresh, 0, words, 0);
    Arrays.fill(duplicate, 0, words, 0);
    Arrays.fill(rejected, 0, words, 0);
    int special = 0;
    int record = 0;
    for (int i = 0; i < batch.count(); i++) {
      if (special < batch.specials() && batch.specialAt(special) == i) {
        oddOne(batch.specialKind(special++), i);
      } else {
        set(isSet(answers, record++) ? fresh : duplicate, i);
      }
    }
  }

  private void oddOne(Batch.Special what, int piece) {
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
    for (int special = 0;
        special < batch.specials() && batch.specialAt(special) <= lastPiece;
        special++) {
      int piece = batch.specialAt(special);
      Batch.Special what = batch.specialKind(special);
      uncheckedCount += what == Batch.Special.PASSED ? 1 : 0;
      skippedCount += what == Batch.Special.SKIPPED ? 1 : 0;
      if (what == Batch.Special.SKIPPED || what == Batch.Special.SKIPPED_MORE) {
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
    int special = 0;
    int record = 0;
    int count = 0;
    for (int i = 0; i < batch.count(); i++) {
      if (special < batch.specials() && batch.specialAt(special) == i) {
        special++;
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

  /** Drops all pieces after the first duplicate; returns whether there is one. */
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

  /** Returns the pieces to let through, a bit per piece. */
  long[] fresh() {
    return fresh;
  }

  /** The pieces that are taken for duplicates. A header is among both. */
  long[] duplicate() {
    return duplicate;
  }

  /** Returns the duplicates that are the first of their key, after {@link #findRepeated}. */
  long[] repeated() {
    return repeated;
  }

  /** Returns the number of repeated records. */
  int repeatedCount() {
    return repeatedCount;
  }

  /** Returns the pieces that cannot be used and are left out; null if there are none. */
  long[] rejected() {
    return rejects ? rejected : null;
  }

  /** Returns the number of records let through. */
  int freshCount() {
    return freshCount;
  }

  /** Returns the number of suspected duplicates. */
  int duplicateCount() {
    return duplicateCount;
  }

  /** Returns the number of records let through without asking the gate. */
  int uncheckedCount() {
    return uncheckedCount;
  }

  /** Returns the number of records left out because they cannot be used. */
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
