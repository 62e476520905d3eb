package dev.unseen.hash;

/**
 * Hashes keys to 64 uniform bits, with a seed or a secret. Implementations are immutable, allocate
 * nothing, and are safe for use by many threads.
 *
 * <p>The hash of a key with a seed never changes, because saved filters depend on it.
 */
public interface Hash64 {
  /** Returns the hash of {@code length} bytes from {@code offset} on. */
  long hash(byte[] bytes, int offset, int length);

  /** Returns the hash of a number. */
  long hash(long value);

  /**
   * Returns the hash of a pair of hashes: {@code ("ab", "c")} and {@code ("a", "bc")} are
   * unrelated.
   */
  long combine(long first, long second);

  /** Returns the hash of all bytes. */
  default long hash(byte[] bytes) {
    return hash(bytes, 0, bytes.length);
  }

  /**
   * Returns the hash of the text's UTF-8 bytes. A surrogate without its partner, which UTF-8 cannot
   * encode, counts as the three bytes of its code point, so that two different texts are never
   * equal.
   */
  default long hash(CharSequence text) {
    return Utf8.hash(text, this);
  }
}
