package dev.unseen.hash;

/**
 * A seeded hash of keys to 64 uniform bits. Immutable, free of allocation, safe for all threads.
 *
 * <p>What a hash returns for a key and a seed never changes: saved filters depend on it.
 */
public interface Hash64 {
  /** The hash of {@code length} bytes from {@code offset} on. */
  long hash(byte[] bytes, int offset, int length);

  /** The hash of a number. */
  long hash(long value);

  /**
   * The hash of a pair of hashes, for keys of several parts. Order counts, and so does the border
   * between the parts: {@code ("ab", "c")} and {@code ("a", "bc")} are unrelated.
   */
  long combine(long first, long second);

  /** The hash of all bytes. */
  default long hash(byte[] bytes) {
    return hash(bytes, 0, bytes.length);
  }

  /**
   * The hash of the text's UTF-8 bytes. A surrogate without its partner, which UTF-8 cannot write,
   * counts as the three bytes of its code point, so that two different texts never become equal.
   */
  default long hash(CharSequence text) {
    return Utf8.hash(text, this);
  }
}
