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

  /**
   * The time of a record whose own cannot be trusted. It counts as too late, and is not counted as
   * such.
   */
  long UNKNOWN = Long.MAX_VALUE;

  /**
   * If no record may be late, a record earlier than the latest by more milliseconds than this means
   * that the clock was {@linkplain #setBack set back}.
   */
  long CLOCK_TOLERANCE = 10_000;

  /** Checks a hash and remembers it. Returns true if it is new. */
  boolean admit(long hash);

  /**
   * Checks a hash of this time, {@link #NOW} for none, and remembers it. Without a window of time
   * it is ignored.
   */
  default boolean admit(long hash, long millis) {
    return admit(hash);
  }

  /** Returns whether {@link #admit} would treat this hash as a duplicate. Changes nothing. */
  boolean mightContain(long hash);

  /**
   * Returns whether {@link #admit} would treat a hash as a duplicate at this time. Changes nothing.
   */
  default boolean mightContain(long hash, long millis) {
    return mightContain(hash);
  }

  /**
   * Checks {@code count} hashes from {@code offset} on and remembers them. The answers are exactly
   * those of {@link #admit}, called once per hash, but it is faster if the filter is larger than
   * the processor's caches.
   *
   * @param fresh receives the answers: bit {@code i % 64} of word {@code i / 64} is set if {@code
   *     hashes[offset + i]} is admitted; the bits of the last word beyond {@code count} are cleared
   * @return the number of hashes that were admitted
   */
  default int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    return admitAll(hashes, null, offset, count, fresh, null);
  }

  /**
   * Checks hashes that each have their own time, and remembers them: see {@link #admit(long, long)}
   * and {@link #admitAll(long[], int, int, long[])}.
   *
   * @param millis the times, which start at {@code offset} as the hashes do; if there is only one,
   *     it is the time of all hashes; null if they have none
   * @param late receives a set bit for each record that was too late to be checked, in the form of
   *     {@code fresh}; null if the caller need not know
   */
  int admitAll(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late);

  /**
   * Asks about {@code count} hashes from {@code offset} on. The answers are exactly those of {@link
   * #mightContain(long, long)}, called once per hash, but it is faster if the filter is larger than
   * the processor's caches. Changes nothing.
   *
   * @param millis the time to ask for; {@link #NOW} asks as {@link #mightContain(long)} does
   * @param seen receives the answers: bit {@code i % 64} of word {@code i / 64} is set if {@code
   *     hashes[offset + i]} would be treated as a duplicate; the bits of the last word beyond
   *     {@code count} are cleared
   * @return the number of hashes that would be treated as duplicates
   */
  int mightContainAll(long[] hashes, int offset, int count, long millis, long[] seen);

  /**
   * Moves the time on without a record. An earlier time, or one without a window of time, is
   * ignored.
   */
  default void advanceTo(long millis) {}

  /**
   * Sets a later latest time back, to this time or a little before it, because the clock was wrong.
   * Keys keep their ages.
   */
  default void setBack(long millis) {}

  /** Returns whether a record of this time would be too late to be checked. Changes nothing. */
  default boolean isTooLate(long hash, long millis) {
    return false;
  }

  /**
   * Returns whether a hash was surely seen between two moments, in milliseconds or numbers of
   * records, whatever the length of the window. Changes nothing.
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

  /**
   * Returns how many keys were evicted before their window had passed, since this was created or
   * loaded.
   */
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
