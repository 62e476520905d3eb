package dev.unseen.hash;

import java.util.Locale;

/** Encodes text as UTF-8 in a buffer that each thread keeps, so that hashing allocates nothing. */
final class Utf8 {
  /** A longer text gets its own buffer, which is not kept. */
  private static final int KEPT_BYTES = 1 << 16;

  private static final int BYTES_PER_CHAR = 3;

  private static final ThreadLocal<byte[]> BUFFER =
      ThreadLocal.withInitial(() -> new byte[KEPT_BYTES]);

  private Utf8() {}

  static long hash(CharSequence text, Hash64 hash) {
    long worstCase = (long) text.length() * BYTES_PER_CHAR;
    if (worstCase > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "key of %,d characters is too long; at most %,d can be hashed",
              text.length(),
              (Integer.MAX_VALUE - 8) / BYTES_PER_CHAR));
    }
    byte[] buffer = worstCase <= KEPT_BYTES ? BUFFER.get() : new byte[(int) worstCase];
    return hash.hash(buffer, 0, encode(text, buffer));
  }

  /** Encodes a text and returns the number of bytes written. */
  private static int encode(CharSequence text, byte[] to) {
    int length = text.length();
    int i = 0;
    for (; i < length; i++) { // most keys are ASCII to their end
      char c = text.charAt(i);
      if (c >= 0x80) {
        break;
      }
      to[i] = (byte) c;
    }
    int at = i;
    while (i < length) {
      int c = Character.codePointAt(text, i); // a lone surrogate is returned as it is
      i += Character.charCount(c);
      if (c < 0x80) {
        to[at++] = (byte) c;
      } else if (c < 0x800) {
        to[at++] = (byte) (0xC0 | (c >> 6));
        to[at++] = (byte) (0x80 | (c & 0x3F));
      } else if (c < 0x10000) {
        to[at++] = (byte) (0xE0 | (c >> 12));
        to[at++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        to[at++] = (byte) (0x80 | (c & 0x3F));
      } else {
        to[at++] = (byte) (0xF0 | (c >> 18));
        to[at++] = (byte) (0x80 | ((c >> 12) & 0x3F));
        to[at++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        to[at++] = (byte) (0x80 | (c & 0x3F));
      }
    }
    return at;
  }
}
