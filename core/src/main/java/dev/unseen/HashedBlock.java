package dev.unseen;

import dev.unseen.hash.Hash64;
import java.util.function.ToLongFunction;

/**
 * Holds the hashes and times of a block of records, which a gate checks in one call.
 *
 * @param <T> the type of the records
 */
final class HashedBlock<T> {
  private final Key<? super T> key;
  private final Gate gate;
  private final Hash64 hash;
  private final ToLongFunction<? super T> time; // null: use the time of arrival
  private final long[] hashes;
  private final long[] times;

  HashedBlock(Key<? super T> key, Gate gate, ToLongFunction<? super T> time, int capacity) {
    this.key = key;
    this.gate = gate;
    this.hash = gate.hash();
    this.time = time;
    this.hashes = new long[capacity];
    this.times = new long[time == null ? 0 : capacity];
  }

  /** Stores the hash and the time of a record at this place of the block. */
  void put(int place, T record) {
    hashes[place] = key.hash(record, hash);
    if (time != null) {
      times[place] = time.applyAsLong(record);
    }
  }

  /**
   * Checks the records at the first {@code count} places and remembers their keys.
   *
   * @param fresh receives the answers, as {@link Gate#admitAll(long[], int, int, long[])} gives
   *     them
   * @return the number of records that were admitted
   */
  int admit(int count, long[] fresh) {
    return time == null
        ? gate.admitAll(hashes, 0, count, fresh)
        : gate.admitAll(hashes, times, 0, count, fresh);
  }

  /**
   * Checks the record at the first place alone and remembers its key. Returns whether it is
   * admitted.
   */
  boolean admitFirst() {
    return time == null ? gate.admit(hashes[0]) : gate.admit(hashes[0], times[0]);
  }
}
