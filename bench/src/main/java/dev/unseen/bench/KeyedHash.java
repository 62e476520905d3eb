package dev.unseen.bench;

/** A hash of bytes with a key: a contestant of {@code bench/compare keyed}. */
interface KeyedHash {
  long hash(byte[] bytes, int offset, int length);
}
