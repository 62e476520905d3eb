package dev.unseen;

import dev.unseen.bits.Answers;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holds the hashes and times of a block of records, which a gate checks in one call.
 *
 * @param <T> the type of the records
 */
final class HashedBlock<T> {
  private final Deduplicator<T> dedup;
  private final long[] hashes;
  private final long[] times;
  private final long[] late; // a bit for each record that could not be checked

  HashedBlock(Deduplicator<T> dedup, int capacity) {
    this.dedup = dedup;
    this.hashes = new long[capacity];
    this.times = new long[capacity];
    this.late = new long[(capacity + Long.SIZE - 1) / Long.SIZE];
  }

  void put(int place, T record) {
    hashes[place] = dedup.hash(record);
    times[place] = dedup.timeOf(record);
  }

  /** Checks the first records and remembers their keys, as {@link Gate#admitAll} does. */
  int admit(int count, IntFunction<T> records, long[] fresh) {
    @Nullable Predicate<? super T> wasSeen = dedup.secondOpinion();
    if (wasSeen == null) {
      return admitByFilter(count, records, fresh);
    }
    Answers.clear(late, count);
    int decided = count;
    try {
      admitByFilter(count, records, fresh);
    } catch (LateRecordException e) {
      decided = e.index();
      throw e;
    } finally { // those before a failure are returned, too
      rescueAll(decided, records, fresh, wasSeen);
    }
    return Answers.count(fresh, (count + Long.SIZE - 1) / Long.SIZE);
  }

  private int admitByFilter(int count, IntFunction<T> records, long[] fresh) {
    Gate gate = dedup.gate();
    if (gate.rehashes()) { // each key may have to be hashed again
      return admitOneByOne(count, records, fresh);
    }
    return dedup.hasTimes()
        ? gate.admitAll(hashes, times, 0, count, fresh, late)
        : gate.admitAll(hashes, 0, count, fresh);
  }

  /**
   * Asks for a second opinion about records that seem seen, unless their key is admitted in this
   * block.
   */
  private void rescueAll(
      int count, IntFunction<T> records, long[] fresh, Predicate<? super T> wasSeen) {
    Set<Long> admitted = new HashSet<>();
    for (int i = 0; i < count; i++) {
      boolean through = Answers.has(fresh, i);
      if (!through
          && !Answers.has(late, i)
          && !admitted.contains(hashes[i])
          && !wasSeen.test(records.apply(i))) {
        through = dedup.gate().rescue();
        fresh[i >>> 6] |= 1L << i;
      }
      if (through) {
        admitted.add(hashes[i]);
      }
    }
  }

  private int admitOneByOne(int count, IntFunction<T> records, long[] fresh) {
    int words = Answers.clear(fresh, count);
    @Nullable LateRecordException first = null;
    for (int i = 0; i < count; i++) {
      late[i >>> 6] |= (dedup.gate().isTooLate(hashes[i], times[i]) ? 1L : 0) << i;
      try {
        boolean through = dedup.admitByFilter(records.apply(i), hashes[i], times[i]);
        fresh[i >>> 6] |= (through ? 1L : 0) << i;
      } catch (LateRecordException e) {
        first = first == null ? e.at(i) : first;
      }
    }
    if (first != null) {
      throw first;
    }
    return Answers.count(fresh, words);
  }

  boolean admitFirst(T record) {
    return dedup.admit(record, hashes[0], times[0]);
  }
}
