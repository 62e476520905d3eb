package dev.unseen.cli;

import dev.unseen.Gate;
import java.util.Arrays;

/** What becomes of the pieces of a batch: a bit for each that is let through, or held back. */
final class Verdicts {
  private long[] answers = {};
  private long[] fresh = {};
  private long[] duplicate = {};
  private long[] rejected = {};
  private boolean rejects;
  private int freshCount;
  private int duplicateCount;
  private int withoutKey;

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
    withoutKey = 0;
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
      case PASSED -> {
        set(fresh, piece);
        freshCount++;
        withoutKey++;
      }
      case PASSED_MORE -> set(fresh, piece);
      case SKIPPED -> {
        reject(piece);
        withoutKey++;
      }
      case SKIPPED_MORE -> reject(piece);
      case NOTHING -> {}
    }
  }

  private void reject(int piece) {
    set(rejected, piece);
    rejects = true;
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

  /** The records that had no key. */
  int withoutKey() {
    return withoutKey;
  }
}
