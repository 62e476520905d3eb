package dev.unseen.filter;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Answers, for one hash after the other, whether it was seen before, in memory that never grows.
 *
 * <p>Every answer may be wrong, at rates that depend on the filter, its memory and the stream: a
 * <b>false positive</b> takes a new hash for a seen one, and its record is lost; a <b>false
 * negative</b> takes a seen hash for a new one, and a duplicate slips through.
 *
 * <p>Hashes are of 64 bits and equal for equal keys; {@link dev.unseen.hash.Xxh3} makes good ones.
 * The same {@linkplain #spec() spec} and the same hashes in the same order give the same answers.
 *
 * <p>A filter has one writer: it is not to be called by two threads at once.
 */
public interface DuplicateFilter {
  /** Takes the hash in; true if it was not seen before, so that its record is let through. */
  boolean admit(long hash);

  /** Returns whether {@link #admit} would take this hash for a duplicate. Changes nothing. */
  boolean mightContain(long hash);

  /**
   * Returns whether {@link #admit} would take this hash for a duplicate after {@link #advanceTo}
   * this time. Changes nothing, the time included.
   */
  default boolean mightContain(long hash, long millis) {
    return mightContain(hash);
  }

  /**
   * Takes in {@code count} hashes from {@code offset} on, with exactly the answers that {@link
   * #admit} would give one by one, but faster on filters larger than the caches.
   *
   * @param fresh receives the answers: bit {@code i % 64} of word {@code i / 64} is set if {@code
   *     hashes[offset + i]} is admitted; the bits of the last word beyond {@code count} are cleared
   * @return how many were admitted
   */
  int admitAll(long[] hashes, int offset, int count, long[] fresh);

  /**
   * Tells the time, which filters with a window of time forget by: keys taken in from now on were
   * seen at this time. Filters without one do not care.
   *
   * @param millis since 1970, or since anything else; a time before the latest told is ignored
   */
  default void advanceTo(long millis) {}

  /** The share of the memory in use, 0 to 1: ones among bits, cells or lanes in use. */
  double load();

  /**
   * The chance, at the present load, that a record never seen before is taken for a duplicate. An
   * estimate from the load alone: it needs no knowledge of the stream.
   */
  double estimatedFpr();

  /**
   * The chance that a duplicate is let through, where the filter can tell it without knowledge of
   * the stream: 0 if it has forgotten nothing. Nothing if it cannot tell.
   */
  default OptionalDouble estimatedFnr() {
    return OptionalDouble.empty();
  }

  /**
   * Returns how many keys were pushed out to make room for others, if the filter can tell. A key
   * that left because its window had passed does not count.
   */
  default OptionalLong forgotten() {
    return OptionalLong.empty();
  }

  /** Estimates how many distinct keys the filter holds at present. */
  double estimatedCardinality();

  /** The bytes of the filter's storage, at most those the spec asks for. */
  long memoryBytes();

  /** What this filter was built from, and can be built from again. */
  FilterSpec spec();
}
