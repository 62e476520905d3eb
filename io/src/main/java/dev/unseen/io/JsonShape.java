package dev.unseen.io;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a JSON text: all its bytes except for strings, numbers and words that are values. In
 * place of these it has slots.
 *
 * <pre>
 *   {"id":"7f3a","n":12,"ok":true}   a text
 *   {"id":"    ","n":  ,"ok":    }   its shape, with slots for a string, a number and a word
 * </pre>
 *
 * <p>The lines of a log have few shapes. It takes half the time of parsing a text to see that it
 * has a known shape, with values in its slots: most of it is compared eight bytes at a time, and
 * there is little to decide on the way. Such a text is valid, and its paths lead to the same slots
 * as those of the text that the shape was learned from.
 *
 * <p>Only plain values fill a slot: strings without escapes and of ASCII alone, numbers without an
 * exponent. A text with others has no known shape, and is parsed.
 */
final class JsonShape {
  private static final int MOST_SLOTS = 256;
  private static final int MOST_STEPS = 512;

  // What fills a slot.
  private static final byte NO_SLOT = 0;
  private static final byte STRING = 1;
  private static final byte NUMBER = 2;
  private static final byte WORD = 3; // true, false or null

  private static final int NONE = -1;

  private static final long SPACES = ' ' * EightBytes.ONES;
  private static final long QUOTES = '"' * EightBytes.ONES;
  private static final long BACKSLASHES = '\\' * EightBytes.ONES;
  private static final long ZEROS = '0' * EightBytes.ONES;
  private static final long ABOVE_NINE = (0x80 - 10) * EightBytes.ONES;

  private static final int TRUE = 't' | 'r' << 8 | 'u' << 16 | 'e' << 24;
  private static final int NULL = 'n' | 'u' << 8 | 'l' << 16 | 'l' << 24;
  private static final int FALS = 'f' | 'a' << 8 | 'l' << 16 | 's' << 24;

  // A step compares up to eight bytes under a mask, advances by their number, and may end at a
  // slot.
  private long[] words = new long[16];
  private long[] masks = new long[16];
  private byte[] advances = new byte[16];
  private byte[] kinds = new byte[16]; // of the slot after the bytes
  private int steps;

  private final int[] slotOfPart; // NONE: the text has no such value
  private int slots;

  // Where the slots of the current text are.
  private int[] starts = new int[16];
  private int[] ends = new int[16];

  private JsonShape(int parts) {
    slotOfPart = new int[parts];
    Arrays.fill(slotOfPart, NONE);
  }

  /**
   * Returns the shape of a valid text; null if it is too large, or if a value in it is an object or
   * array, which fills no slot.
   *
   * @param partStarts where the values begin that are looked for, strings after their quote;
   *     negative if the text has no such value
   */
  static @Nullable JsonShape of(byte[] bytes, int from, int to, int[] partStarts) {
    JsonShape shape = new JsonShape(partStarts.length);
    boolean whole = shape.learn(bytes, from, to, partStarts);
    for (int part = 0; part < partStarts.length; part++) {
      whole &= partStarts[part] < 0 || shape.slotOfPart[part] != NONE;
    }
    return whole ? shape : null;
  }

  private boolean learn(byte[] bytes, int from, int to, int[] partStarts) {
    int start = from; // of what stands before the next slot
    int at = from;
    while (at < to) {
      byte b = bytes[at];
      int slot = at;
      int end = at + 1;
      byte kind = WORD;
      if (b == '"') {
        slot = at + 1;
        at = JsonText.endOfString(bytes, at);
        end = at - 1;
        if (isName(bytes, at, to)) {
          continue;
        }
        kind = STRING;
      } else if (b == '-' || isDigit(b) || isLetter(b)) {
        while (end < to && isInBareword(bytes[end])) {
          end++;
        }
        at = end;
        kind = b >= 'a' ? WORD : NUMBER;
      } else {
        at++;
        continue;
      }
      if (slots == MOST_SLOTS || steps > MOST_STEPS) {
        return false;
      }
      add(bytes, start, slot, kind);
      addSlot(slot, partStarts);
      start = end;
    }
    add(bytes, start, to, NO_SLOT);
    return steps <= MOST_STEPS;
  }

  /** Returns whether a colon follows a string. */
  private static boolean isName(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && JsonScanner.isBlank(bytes[at])) {
      at++;
    }
    return at < to && bytes[at] == ':';
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static boolean isLetter(byte b) {
    return b >= 'a' && b <= 'z';
  }

  private static boolean isInBareword(byte b) {
    return isDigit(b) || isLetter(b) || b == '.' || b == '-' || b == '+' || b == 'E';
  }

  /** Adds what stands before a slot, or after the last one. */
  private void add(byte[] bytes, int from, int to, byte kind) {
    int at = from;
    do {
      if (steps == words.length) {
        words = Arrays.copyOf(words, 2 * steps);
        masks = Arrays.copyOf(masks, 2 * steps);
        advances = Arrays.copyOf(advances, 2 * steps);
        kinds = Arrays.copyOf(kinds, 2 * steps);
        starts = Arrays.copyOf(starts, 2 * steps); // a slot has a step at least
        ends = Arrays.copyOf(ends, 2 * steps);
      }
      int count = Math.min(Long.BYTES, to - at);
      masks[steps] = count < Long.BYTES ? (1L << (Byte.SIZE * count)) - 1 : -1;
      words[steps] = EightBytes.upTo(bytes, at) & masks[steps];
      advances[steps] = (byte) count;
      at += count;
      kinds[steps++] = at == to ? kind : NO_SLOT;
    } while (at < to);
  }

  private void addSlot(int start, int[] partStarts) {
    for (int part = 0; part < partStarts.length; part++) {
      if (partStarts[part] == start) {
        slotOfPart[part] = slots;
      }
    }
    slots++;
  }

  /**
   * Returns whether a text has this shape. If so, {@link #startOf} and {@link #endOf} are of it.
   */
  boolean matches(byte[] bytes, int from, int to) {
    int at = from;
    int slot = 0;
    for (int i = 0; i < steps; i++) {
      if (((EightBytes.upTo(bytes, at) ^ words[i]) & masks[i]) != 0) {
        return false;
      }
      at += advances[i];
      byte kind = kinds[i];
      if (kind != NO_SLOT) {
        starts[slot] = at;
        at =
            kind == STRING
                ? afterText(bytes, at)
                : kind == NUMBER ? afterNumber(bytes, at) : afterWord(bytes, at);
        if (at < 0) {
          return false;
        }
        ends[slot++] = at;
      }
    }
    return at == to; // else it went beyond the text, and compared what is not part of it
  }

  /**
   * Returns the index of the next byte that is not a plain part of a string. What has to follow, a
   * quote, is compared later. Sixteen bytes are looked at together, so that the processor need not
   * guess where a short string ends.
   */
  private static int afterText(byte[] bytes, int from) {
    for (int at = from; at < bytes.length; at += 2 * Long.BYTES) {
      long first = special(EightBytes.upTo(bytes, at));
      long second = special(EightBytes.upTo(bytes, at + Long.BYTES));
      if ((first | second) != 0) {
        return EightBytes.first(first, second) + at;
      }
    }
    return bytes.length;
  }

  /**
   * Marks bytes that are no plain part of a string: quotes, backslashes, control characters and
   * what is not ASCII. Bytes above the first one can be marked by mistake: a byte borrows from the
   * next one if it is less than what is subtracted.
   */
  private static long special(long x) {
    long marked =
        (x - SPACES) | ((x ^ QUOTES) - EightBytes.ONES) | ((x ^ BACKSLASHES) - EightBytes.ONES) | x;
    return marked & EightBytes.HIGH_BITS;
  }

  /** Returns the index after a number, up to its exponent; negative if there is no number. */
  private static int afterNumber(byte[] bytes, int from) {
    int at = from;
    if (at < bytes.length && bytes[at] == '-') {
      at++;
    }
    int whole = at;
    at = afterDigits(bytes, at);
    if (at == whole || (at > whole + 1 && bytes[whole] == '0')) {
      return NONE;
    }
    if (at < bytes.length && bytes[at] == '.') {
      int fraction = at + 1;
      at = afterDigits(bytes, fraction);
      return at == fraction ? NONE : at;
    }
    return at;
  }

  private static int afterDigits(byte[] bytes, int from) {
    for (int at = from; at < bytes.length; at += 2 * Long.BYTES) {
      long first = noDigits(EightBytes.upTo(bytes, at));
      long second = noDigits(EightBytes.upTo(bytes, at + Long.BYTES));
      if ((first | second) != 0) {
        return EightBytes.first(first, second) + at;
      }
    }
    return bytes.length;
  }

  private static long noDigits(long word) {
    long x = word ^ ZEROS;
    return (((x & EightBytes.LOW_BITS) + ABOVE_NINE) | x) & EightBytes.HIGH_BITS;
  }

  /** Returns the index after true, false or null; negative if there is none of them. */
  private static int afterWord(byte[] bytes, int at) {
    long x = EightBytes.upTo(bytes, at);
    int four = (int) x;
    if (four == TRUE || four == NULL) {
      return at + 4;
    }
    return four == FALS && (byte) (x >>> 32) == 'e' ? at + 5 : NONE;
  }

  /** Returns where a value begins; negative if the text has no such value. */
  int startOf(int part) {
    int slot = slotOfPart[part];
    return slot == NONE ? NONE : starts[slot];
  }

  /** Returns where a value ends that the text has. */
  int endOf(int part) {
    return ends[slotOfPart[part]];
  }
}
