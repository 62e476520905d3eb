package dev.unseen.io;

/** Decodes UTF-8 strictly: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
final class StrictUtf8 {
  private StrictUtf8() {}

  /** Returns the number of bytes of the character that begins here, 1 to 4; 0 if none does. */
  static int sizeAt(byte[] bytes, int at, int to) {
    int lead = bytes[at] & 0xFF;
    if (lead < 0x80) {
      return 1;
    }
    if (lead < 0xC2 || lead > 0xF4) {
      return 0;
    }
    int size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (size > to - at) {
      return 0;
    }
    int second = bytes[at + 1] & 0xFF;
    int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (second < least || second > most) {
      return 0;
    }
    for (int i = at + 2; i < at + size; i++) {
      if ((bytes[i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return size;
  }

  /** Returns the character of this number of bytes. */
  static int pointAt(byte[] bytes, int at, int size) {
    if (size == 1) {
      return bytes[at];
    }
    int point = bytes[at] & (0x7F >> size);
    for (int i = at + 1; i < at + size; i++) {
      point = point << 6 | (bytes[i] & 0x3F);
    }
    return point;
  }

  /** Writes a character. Returns the index after its last byte. */
  static int put(int point, byte[] into, int at) {
    if (point < 0x80) {
      into[at++] = (byte) point;
    } else if (point < 0x800) {
      into[at++] = (byte) (0xC0 | point >> 6);
      into[at++] = tail(point);
    } else if (point < 0x10000) {
      into[at++] = (byte) (0xE0 | point >> 12);
      into[at++] = tail(point >> 6);
      into[at++] = tail(point);
    } else {
      into[at++] = (byte) (0xF0 | point >> 18);
      into[at++] = tail(point >> 12);
      into[at++] = tail(point >> 6);
      into[at++] = tail(point);
    }
    return at;
  }

  private static byte tail(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }
}
