package dev.unseen.lab.rival;

import dev.unseen.filter.base.DuplicateFilter;

/**
 * A structure to be compared: it decides for one hash after the other whether it was seen before.
 */
public interface Contestant {
  /** Checks a hash and remembers it. Returns true if it is let through as new. */
  boolean admit(long hash);

  /** Returns the size of its storage in bytes, which is at most the memory that it was given. */
  long memoryBytes();

  /**
   * Checks the first {@code count} hashes and remembers them, as {@link #admit} does.
   *
   * @param fresh receives the answers: bit {@code i % 64} of word {@code i / 64} is set if hash
   *     {@code i} is let through
   */
  default void admitAll(long[] hashes, int count, long[] fresh) {
    for (int i = 0; i < count; i++) {
      long bit = 1L << i;
      fresh[i / Long.SIZE] =
          admit(hashes[i]) ? fresh[i / Long.SIZE] | bit : fresh[i / Long.SIZE] & ~bit;
    }
  }

  static Contestant of(DuplicateFilter filter) {
    return new Contestant() {
      @Override
      public boolean admit(long hash) {
        return filter.admit(hash);
      }

      @Override
      public long memoryBytes() {
        return filter.memoryBytes();
      }

      @Override
      public void admitAll(long[] hashes, int count, long[] fresh) {
        filter.admitAll(hashes, 0, count, fresh);
      }
    };
  }
}
