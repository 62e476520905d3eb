package dev.unseen.io;

/** Recognises the byte order mark with which some programs start text. */
final class ByteOrderMark {
  private ByteOrderMark() {}

  /**
   * Returns the number of bytes of a UTF-8 mark at this place: 3, or 0 if there is none. Rejects
   * UTF-16.
   */
  static int length(byte[] bytes, int from, int to, String file) throws InputException {
    int mark = to - from < 2 ? 0 : (bytes[from] & 0xFF) << 8 | (bytes[from + 1] & 0xFF);
    if (mark == 0xFEFF || mark == 0xFFFE) {
      throw new InputException(
          "%s is UTF-16; turn it into UTF-8 first: iconv -f UTF-16 -t UTF-8".formatted(file));
    }
    return mark == 0xEFBB && to - from >= 3 && (bytes[from + 2] & 0xFF) == 0xBF ? 3 : 0;
  }

  /** Returns whether these few bytes may be the beginning of a mark. */
  static boolean mayBegin(byte[] bytes, int from, int to) {
    return from == to || (bytes[from] & 0xFF) >= 0xEF;
  }
}
