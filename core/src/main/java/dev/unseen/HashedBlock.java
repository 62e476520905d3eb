package dev.unseen;

import dev.unseen.bits.Answers;
import dev.unseen.hash.Hash64;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Holds the hashes and times of a block of records, which a gate checks in one call.
 *
 * @param <T> the type of the records
 */
final class HashedBlock<T> {
  private final Key<? super T> key;
  private final Gate gate;
  private final Hash64 hash;
  private final @Nullable ToLongFunction<? super T> time; // null: use the time of arrival
  private final long[] hashes;
  private final long[] times;
  private final long[] known; // a bit for each record that a filter with other hashes knows
  private boolean anyKnown;
  private final @Nullable Predicate<? super T> wasSeen; // null: the filter decides alone
  private final long[] late; // a bit for each record that could not be checked

  HashedBlock(
      Key<? super T> key,
      Gate gate,
      @Nullable ToLongFunction<? super T> time,
      @Nullable Predicate<? super T> wasSeen,
      int capacity) {
    this.key = key;
    this.gate = gate;
    this.hash = gate.hash();
    this.time = time;
    this.hashes = new long[capacity];
    this.times = new long[time == null ? 0 : capacity];
    this.known = new long[(capacity + Long.SIZE - 1) / Long.SIZE];
    this.wasSeen = wasSeen;
    this.late = new long[known.length];
  }

  /** Stores the hash and the time of a record at this place of the block. */
  void put(int place, T record) {
    hashes[place] = key.hash(record, hash);
    if (time != null) {
      times[place] = time.applyAsLong(record);
    }
    if (gate.rehashes()) {
      boolean isKnown =
          time == null
              ? gate.isKnown(hashes[place], former -> key.hash(record, former))
              : gate.isKnown(hashes[place], times[place], former -> key.hash(record, former));
      known[place >>> 6] |= (isKnown ? 1L : 0) << place;
      anyKnown |= isKnown;
    }
  }

  /**
   * Checks the records at the first {@code count} places and remembers their keys.
   *
   * @param records returns the record at a place
   * @param fresh receives the answers, as {@link Gate#admitAll(long[], int, int, long[])} gives
   *     them
   * @return the number of records that were admitted
   */
  int admit(int count, IntFunction<T> records, long[] fresh) {
    if (wasSeen == null) {
      return admit(count, fresh);
    }
    Answers.clear(late, count);
    int decided = count;
    try {
      admit(count, fresh);
    } catch (LateRecordException e) {
      decided = e.index();
      throw e;
    } finally { // those before a failure are returned, too
      rescueAll(decided, records, fresh, wasSeen);
    }
    return Answers.count(fresh, (count + Long.SIZE - 1) / Long.SIZE);
  }

  private int admit(int count, long[] fresh) {
    if (anyKnown) {
      return admitOneByOne(count, fresh);
    }
    return time == null
        ? gate.admitAll(hashes, 0, count, fresh)
        : gate.admitAll(hashes, times, 0, count, fresh, late);
  }

  /**
   * Asks for a second opinion about the records that seem seen, unless a record of the same key is
   * admitted in this block: nobody else can know about that one yet.
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
        through = gate.rescue();
        fresh[i >>> 6] |= 1L << i;
      }
      if (through) {
        admitted.add(hashes[i]);
      }
    }
  }

  private int admitOneByOne(int count, long[] fresh) {
    int words = Answers.clear(fresh, count);
    for (int i = 0; i < count; i++) {
      late[i >>> 6] |= (time != null && gate.isTooLate(hashes[i], times[i]) ? 1L : 0) << i;
      fresh[i >>> 6] |= (admitAt(i) ? 1L : 0) << i;
    }
    Arrays.fill(known, 0);
    anyKnown = false;
    return Answers.count(fresh, words);
  }

  private boolean admitAt(int place) {
    boolean isKnown = Answers.has(known, place);
    if (time == null) {
      if (isKnown) {
        gate.admitKnown(hashes[place]);
        return false;
      }
      return gate.admit(hashes[place]);
    }
    if (isKnown) {
      gate.admitKnown(hashes[place], times[place]);
      return false;
    }
    return gate.admit(hashes[place], times[place]);
  }

  /**
   * Checks the record at the first place alone and remembers its key. Returns whether it is
   * admitted.
   */
  boolean admitFirst(IntFunction<T> records) {
    boolean fresh = admitAt(0);
    known[0] = 0;
    anyKnown = false;
    boolean rescued =
        !fresh
            && wasSeen != null
            && (time == null || !gate.isTooLate(hashes[0], times[0]))
            && !wasSeen.test(records.apply(0))
            && gate.rescue();
    return fresh || rescued;
  }
}
