package dev.unseen.cli.dedup;

import dev.unseen.Gate;
import dev.unseen.bits.Mix;
import dev.unseen.hash.Hash64;
import java.util.Arrays;
import java.util.function.ToLongFunction;

/** The decisions on the pieces of a batch: a bit for each that is let through, or held back. */
final class Decisions {
  /** Distinguishes the hash of a repeated key from that of the key. */
  private static final long AGAIN = 0x6A09E667F3BCC909L; // the digits of the root of 2

  private long[] answers = {}; // of the gate, for the records with a key
  private long[] late = {}; // those of these records that are too late to be checked
  private long[] fresh = {};
  private long[] duplicate = {};
  private long[] rejected = {};
  private long[] repeated = {};
  private boolean rejects;
  private int repeatedCount;
  private RunCounts counts = new RunCounts();
  private LateRecord firstLate; // null: none

  /** Asks the gate about the records of a batch, all at once. */
  void decide(Batch batch, Gate gate) {
    int words = (batch.count() + Long.SIZE - 1) / Long.SIZE;
    if (fresh.length < words) {
      answers = new long[words];
      late = new long[words];
      fresh = new long[words];
      duplicate = new long[words];
      rejected = new long[words];
    }
    rejects = false;
    firstLate = null;
    counts = new RunCounts();
    counts.bytes = batch.byteCount();
    long latest = gate.latestMillis();
    int admitted;
    if (batch.former != null && gate.rehashes()) {
      admitted = admitOneByOne(batch, gate);
    } else if (batch.times() == null) {
      admitted = gate.admitAll(batch.hashes(), 0, batch.keyed(), answers);
    } else {
      admitted = gate.admitAll(batch.hashes(), batch.times(), 0, batch.keyed(), answers, late);
    }
    if (batch.times() != null) {
      countLate(batch, latest, gate.latestMillis());
    }
    countOdds(batch, batch.count() - 1);
    counts.duplicates = batch.keyed() - admitted - counts.lateDropped;
    counts.fresh = admitted + counts.unchecked;
    if (batch.specials() == 0 && firstLate == null) {
      takeAnswers(batch.count(), words);
    } else {
      spreadAnswers(batch, words);
    }
  }

  /** Asks the gate about each record, as long as a filter knows only its former hash. */
  private int admitOneByOne(Batch batch, Gate gate) {
    Arrays.fill(answers, 0);
    Arrays.fill(late, 0);
    int admitted = 0;
    long[] fresh1 = new long[1];
    long[] late1 = new long[1];
    for (int i = 0; i < batch.keyed(); i++) {
      int record = i;
      long hash = batch.hashes()[i];
      boolean timed = batch.times() != null;
      ToLongFunction<Hash64> key = function -> batch.former.of(record, function);
      if (timed ? gate.isKnown(hash, batch.times()[i], key) : gate.isKnown(hash, key)) {
        if (timed) {
          gate.admitKnown(hash, batch.times()[i]);
        } else {
          gate.admitKnown(hash);
        }
        continue;
      }
      int one =
          timed
              ? gate.admitAll(batch.hashes(), batch.times(), i, 1, fresh1, late1)
              : gate.admitAll(batch.hashes(), i, 1, fresh1);
      admitted += one;
      answers[i >>> 6] |= (long) one << i;
      late[i >>> 6] |= (timed ? late1[0] : 0) << i;
    }
    return admitted;
  }

  /**
   * Counts the records that are too late to be checked, or too far in the future.
   *
   * @param before the latest time before the batch
   * @param after the latest time after it: later times were not believed
   */
  private void countLate(Batch batch, long before, long after) {
    long any = 0;
    for (int i = 0; i * Long.SIZE < batch.keyed(); i++) {
      any |= late[i];
    }
    long latest = before;
    for (int i = 0; any != 0 && i < batch.keyed(); i++) {
      long time = batch.times()[i];
      latest = time > after ? latest : Math.max(latest, time);
      if (isSet(late, i)) {
        firstLate = firstLate == null ? new LateRecord(time, latest) : firstLate;
        counts.tooLate += time < latest ? 1 : 0;
        counts.mostLateMillis = Math.max(counts.mostLateMillis, latest - time);
        counts.lateDropped += isSet(answers, i) ? 0 : 1;
      }
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
        switch (batch.specialKind(special++)) {
          case HEADER, MARK -> {
            set(fresh, i);
            set(duplicate, i);
          }
          case PASSED, PASSED_MORE -> set(fresh, i);
          case SKIPPED, SKIPPED_MORE -> reject(i);
          case NOTHING -> {}
        }
      } else {
        if (isSet(answers, record)) {
          set(fresh, i);
        } else if (firstLate != null && isSet(late, record)) {
          reject(i);
        } else {
          set(duplicate, i);
        }
        record++;
      }
    }
  }

  private void reject(int piece) {
    set(rejected, piece);
    rejects = true;
  }

  /** Counts the pieces, up to the last of these, that the gate is not asked about. */
  private void countOdds(Batch batch, int lastPiece) {
    counts.unchecked = 0;
    counts.skipped = 0;
    counts.skippedLines = 0;
    counts.skippedBytes = 0;
    counts.nullKeys = batch.nullsUpTo(lastPiece);
    for (int special = 0;
        special < batch.specials() && batch.specialAt(special) <= lastPiece;
        special++) {
      int piece = batch.specialAt(special);
      Batch.Special what = batch.specialKind(special);
      counts.unchecked += what == Batch.Special.PASSED ? 1 : 0;
      counts.skipped += what == Batch.Special.SKIPPED ? 1 : 0;
      if (what == Batch.Special.SKIPPED || what == Batch.Special.SKIPPED_MORE) {
        counts.skippedLines += batch.linesOf(piece);
        counts.skippedBytes += batch.end(piece) - batch.start(piece);
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
    int most = (int) counts.duplicates;
    long[] hashes = new long[most];
    long[] times = batch.times() == null ? null : new long[most];
    int[] pieces = new int[most];
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

  /** Forgets all pieces after the first duplicate. Returns whether there is one. */
  boolean endAtFirstDuplicate(Batch batch) {
    int end = 0;
    while (end < batch.count() && (isSet(fresh, end) || !isSet(duplicate, end))) {
      end++;
    }
    if (end == batch.count()) {
      return false;
    }
    endAfter(end, batch);
    return true;
  }

  /** Forgets all pieces after this one. */
  private void endAfter(int end, Batch batch) {
    for (int i = end + 1; i < batch.count(); i++) {
      clear(fresh, i);
      clear(duplicate, i);
      clear(rejected, i);
    }
    countOdds(batch, end);
    counts.fresh = 0;
    counts.duplicates = 0;
    for (int i = 0; i <= end; i++) {
      boolean both = isSet(fresh, i) && isSet(duplicate, i); // a header
      counts.fresh += isSet(fresh, i) && !both ? 1 : 0;
      counts.duplicates += isSet(duplicate, i) && !both ? 1 : 0;
    }
  }

  /**
   * Forgets the first record that is too late to be checked, and all pieces after it.
   *
   * @return its place among the pieces; -1 if there is none
   */
  int endBeforeFirstLate(Batch batch) {
    int record = 0;
    for (int i = 0; firstLate != null && i < batch.count(); i++) {
      if (batch.oddOf(i) == null && isSet(late, record++) && isSet(fresh, i)) {
        clear(fresh, i);
        endAfter(i, batch);
        return i;
      }
    }
    return -1;
  }

  private static void clear(long[] bits, int i) {
    bits[i / Long.SIZE] &= ~(1L << i);
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

  /** Returns the pieces that count as duplicates. A header is among both. */
  long[] duplicate() {
    return duplicate;
  }

  /** Returns the duplicates that are the first of their key, after {@link #findRepeated}. */
  long[] repeated() {
    return repeated;
  }

  int repeatedCount() {
    return repeatedCount;
  }

  /** Returns the pieces that cannot be used and are left out; null if there are none. */
  long[] rejected() {
    return rejects ? rejected : null;
  }

  RunCounts counts() {
    return counts;
  }

  /** Returns the first record that could not be checked because of its time; null if none. */
  LateRecord firstLate() {
    return firstLate;
  }
}
