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
  /**
   * The time of a record that has no time. Such a record counts as seen at the latest time so far.
   */
  long NOW = Long.MIN_VALUE;

  /**
   * The time of a record whose own time cannot be trusted, so that it cannot be checked: a filter
   * with a window of time treats it as it treats a record that is too late, but does not count it.
   */
  long UNKNOWN = Long.MAX_VALUE;

  /**
   * If no record may be late, a record whose time is earlier than the latest one by more than this
   * number of milliseconds means that the clock was set back: the filter is {@linkplain #setBack
   * set back}, too.
   */
  long CLOCK_TOLERANCE = 10_000;

  /**
   * Checks a hash and remembers it. Returns true if it is new, so that its record is let through.
   */
  boolean admit(long hash);

  /**
   * Checks a hash that was seen at this time, and remembers it. Filters without a window of time
   * ignore the time.
   *
   * @param millis milliseconds since 1970, or since any other fixed moment; {@link #NOW} if the
   *     record has no time
   */
  default boolean admit(long hash, long millis) {
    return admit(hash);
  }

  /** Returns whether {@link #admit} would treat this hash as a duplicate. Changes nothing. */
  boolean mightContain(long hash);

  /**
   * Returns whether {@link #admit} would treat this hash as a duplicate at this time. Changes
   * nothing, not even the time of the filter.
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
   * Moves the current time on, so that keys expire even if no record comes. Filters without a
   * window of time ignore it.
   *
   * @param millis milliseconds since 1970, or since any other fixed moment; a time before the
   *     latest one is ignored
   */
  default void advanceTo(long millis) {}

  /**
   * Sets the latest time back to this time, or to a little before it, because the clock was wrong.
   * All keys keep their ages, so none of them is kept for longer than the window and the lateness.
   * If the latest time is not later, nothing changes.
   */
  default void setBack(long millis) {}

  /**
   * Returns whether a record of this hash and time would be too late to be checked: the keys that
   * it would have to be compared with may have expired. Changes nothing.
   */
  default boolean isTooLate(long hash, long millis) {
    return false;
  }

  /**
   * Returns whether a hash was surely seen after one moment and before another one. Moments are
   * milliseconds, or numbers of records. Unlike {@link #mightContain}, this does not depend on the
   * length of the window, but only on what the filter still holds. Changes nothing.
   */
  default boolean wasSeen(long hash, long after, long before) {
    return mightContain(hash);
  }

  /**
   * Moves the time on as {@link #admit(long, long)} would, for a record that is not to be
   * remembered.
   */
  default void skip(long millis) {}

  /** Returns the number of records so far, if there is a window of records; otherwise 0. */
  default long recordsOfWindow() {
    return 0;
  }

  /** Returns the number of records that were too late to be checked. */
  default long tooLate() {
    return 0;
  }

  /**
   * Returns the share of the window that the memory covers: how long recently evicted keys were
   * kept on average, as a share of the window. If it is below 1, the memory is too small for the
   * window.
   */
  default double coverage() {
    return 1;
  }

  /**
   * Returns the number of keys that were evicted before their window had passed, because there was
   * no room. It counts from the moment at which this object was created or loaded: it is not saved.
   */
  default long evictedEarly() {
    return 0;
  }

  /**
   * Returns the share of the memory in use, 0 to 1: bits that are set, or cells or lanes in use.
   */
  double load();

  /**
   * Returns the chance, at the present load, that a new record is treated as a duplicate. The
   * estimate uses the load alone, and needs no knowledge of the stream.
   */
  double estimatedFpr();

  /**
   * Returns the chance that a duplicate is let through, if the filter knows it without knowledge of
   * the stream: 0 if it has forgotten nothing, and empty if it cannot know.
   */
  default OptionalDouble estimatedFnr() {
    return OptionalDouble.empty();
  }

  /**
   * Returns the number of keys that were evicted to make room for others, if the filter counts
   * them. A key whose window has passed does not count.
   */
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
