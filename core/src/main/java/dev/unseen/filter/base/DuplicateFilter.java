package dev.unseen.filter.base;

import dev.unseen.filter.FilterSpec;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one hash after the other whether it was seen before, in memory that never grows.
 *
 * <p>Every answer may be wrong, at rates that depend on the filter, its memory and the stream. A
 * <b>false positive</b> is a new hash that is treated as seen, so its record is lost. A <b>false
 * negative</b> is a seen hash that is treated as new, so a duplicate gets through.
 *
 * <p>Hashes have 64 bits, and equal keys must have equal hashes; {@link
 * dev.unseen.hash.HashKind#XXH3} is a good hash function. The same {@linkplain #spec() spec} and
 * the same hashes in the same order give the same answers.
 *
 * <p>A filter is not thread-safe: two threads must not call it at once. A gate with {@code
 * concurrent()} is for many threads.
 */
public interface DuplicateFilter {
  /** The time of a record that has none, and counts as seen at the latest time so far. */
  long NOW = Long.MIN_VALUE;

  /** The time of a record that cannot be trusted: it is too late, but is not counted as such. */
  long UNKNOWN = Long.MAX_VALUE;

  /**
   * If none may be late, a record earlier than the latest by more milliseconds set the clock back.
   */
  long CLOCK_TOLERANCE = 10_000;

  /**
   * Checks a hash of this time, {@link #NOW} for none, and remembers it. Returns true if it is new.
   */
  boolean admit(long hash, long millis);

  /** Checks a hash without a time, and remembers it. */
  default boolean admit(long hash) {
    return admit(hash, NOW);
  }

  /** Returns whether {@link #admit} would treat a hash as a duplicate. Changes nothing. */
  boolean mightContain(long hash, long millis);

  /** Returns whether {@link #admit} would treat a hash without a time as a duplicate. */
  default boolean mightContain(long hash) {
    return mightContain(hash, NOW);
  }

  /**
   * Checks hashes as {@link #admit} does one by one, faster if the filter is larger than the
   * caches.
   *
   * @param fresh receives the answers: bit {@code i % 64} of word {@code i / 64} is set if {@code
   *     hashes[offset + i]} is admitted; the bits of the last word beyond {@code count} are cleared
   * @return the number of hashes that were admitted
   */
  default int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    return admitAll(hashes, null, offset, count, fresh, null);
  }

  /**
   * Checks hashes that each have their own time.
   *
   * @param millis the times, which start at {@code offset}; one for all hashes; or null for none
   * @param late receives a bit, as {@code fresh}, for each record that was too late; may be null
   */
  int admitAll(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late);

  /**
   * Asks about hashes as {@link #mightContain(long, long)} does, at one time for all.
   *
   * @param seen receives a bit, as {@link #admitAll}, for each hash that is a duplicate
   * @return the number of these
   */
  int mightContainAll(long[] hashes, int offset, int count, long millis, long[] seen);

  /** Moves the time on without a record, unless it is earlier than the latest. */
  default void advanceTo(long millis) {}

  /**
   * Sets a later latest time back, about to this one: the clock was wrong. Keys keep their ages.
   */
  default void setBack(long millis) {}

  /** Returns whether a record of this time would be too late to be checked. Changes nothing. */
  default boolean isTooLate(long hash, long millis) {
    return false;
  }

  /**
   * Returns whether a hash was surely seen between two moments, in milliseconds or records,
   * whatever the length of the window.
   */
  default boolean wasSeen(long hash, long after, long before) {
    return mightContain(hash);
  }

  /** Moves the time on as {@link #admit(long, long)} would, and remembers nothing. */
  default void skip(long millis) {}

  /** Returns the number of records so far, if there is a window of records; otherwise 0. */
  default long recordsOfWindow() {
    return 0;
  }

  default long tooLate() {
    return 0;
  }

  /** Returns how long recently evicted keys were kept on average, as a share of the window. */
  default double coverage() {
    return 1;
  }

  /** Returns how many keys were evicted before their window had passed. It is not saved. */
  default long evictedEarly() {
    return 0;
  }

  /** Returns the share of the memory in use, 0 to 1. */
  double load();

  /** Returns the chance, by the load alone, that a new record is treated as a duplicate. */
  double estimatedFpr();

  /** Returns the chance that a duplicate is let through, if it is known without the stream. */
  default OptionalDouble estimatedFnr() {
    return OptionalDouble.empty();
  }

  /** Returns the number of keys that were evicted to make room for others, if they are counted. */
  default OptionalLong evicted() {
    return OptionalLong.empty();
  }

  /** Returns an estimate of the number of distinct keys that the filter holds at present. */
  double estimatedCardinality();

  /** Returns the size of the filter's storage in bytes, which is at most the memory of the spec. */
  long memoryBytes();

  /** Returns the spec that this filter was built from. An equal filter can be built from it. */
  FilterSpec spec();
}
