package dev.unseen.io;

/**
 * Defines which differences between keys are ignored. It applies to each part of a key.
 *
 * @param ignoreCase whether upper and lower case are the same, by Unicode's simple case folding. It
 *     works on one character at a time, so {@code ß} is not {@code SS}; bytes that are not UTF-8
 *     stay unchanged
 * @param trim whether blanks at both ends are ignored: space, tab, carriage return, newline,
 *     vertical tab and form feed
 */
public record KeyNormalization(boolean ignoreCase, boolean trim) {
  /** Nothing is ignored: all bytes count. */
  public static final KeyNormalization NOTHING = new KeyNormalization(false, false);

  private static final int CAPITAL_I_WITH_DOT = 0x130;
  private static final int SMALL_I_WITHOUT_DOT = 0x131;

  boolean isNothing() {
    return !ignoreCase && !trim;
  }

  /** Returns the index of the first byte that counts; {@code to} if there is none. */
  int start(byte[] bytes, int from, int to) {
    int at = from;
    while (trim && at < to && isBlank(bytes[at])) {
      at++;
    }
    return at;
  }

  /** Returns the index after the last byte that counts. */
  int end(byte[] bytes, int from, int to) {
    int at = to;
    while (trim && at > from && isBlank(bytes[at - 1])) {
      at--;
    }
    return at;
  }

  /**
   * Unicode's simple case folding. Java's upper and lower case give the same result, except for the
   * two letters whose case depends on the language, which folding does not change.
   */
  private static int fold(int point) {
    return point == CAPITAL_I_WITH_DOT || point == SMALL_I_WITHOUT_DOT
        ? point
        : Character.toLowerCase(Character.toUpperCase(point));
  }

  static boolean isBlank(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  /**
   * Writes the bytes without case. A character may grow from two bytes to three, so there must be
   * room for half as many bytes again.
   *
   * @return the index after the last byte written
   */
  int fold(byte[] bytes, int from, int to, byte[] into, int at) {
    int i = from;
    while (i < to) {
      byte b = bytes[i];
      if (!ignoreCase || (b >= 0 && (b < 'A' || b > 'Z'))) {
        into[at++] = b;
        i++;
      } else if (b >= 0) {
        into[at++] = (byte) (b | 0x20);
        i++;
      } else {
        int size = StrictUtf8.sizeAt(bytes, i, to);
        if (size == 0) {
          into[at++] = b;
          i++;
        } else {
          at = StrictUtf8.put(fold(StrictUtf8.pointAt(bytes, i, size)), into, at);
          i += size;
        }
      }
    }
    return at;
  }
}
