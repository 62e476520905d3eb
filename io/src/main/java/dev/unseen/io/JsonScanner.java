package dev.unseen.io;

import dev.unseen.io.JsonPaths.Step;
import java.util.Arrays;

/**
 * Finds the values at some paths of a JSON text in one pass over its bytes, and checks all of it on
 * the way. It never takes for JSON what is none: whatever is unusual it calls odd, and leaves it to
 * a parser that knows everything. Odd are wrong JSON, escapes in names or keys, keys that are
 * objects or missing, bytes that are not UTF-8, and deep nesting.
 */
final class JsonScanner {
  private static final int ODD = -1;
  private static final int MAX_DEPTH = 100;

  // What a byte is within a string.
  private static final byte PLAIN = 0;
  private static final byte SPECIAL = 1; // a quote, a backslash, a control character or not ASCII

  private static final byte[] IN_STRING = new byte[256];

  static {
    Arrays.fill(IN_STRING, 0, 0x20, SPECIAL);
    Arrays.fill(IN_STRING, 0x80, 256, SPECIAL);
    IN_STRING['"'] = SPECIAL;
    IN_STRING['\\'] = SPECIAL;
  }

  private final Step root;
  private final int[] starts; // of the parts found
  private final int[] ends;
  private byte[] bytes;
  private int to;
  private boolean escaped; // whether the string read last has an escape

  JsonScanner(JsonPaths paths) {
    root = paths.root();
    starts = new int[paths.count()];
    ends = new int[paths.count()];
  }

  /** Takes all parts of the key; false if the text is odd, and then the parts are worthless. */
  boolean scan(byte[] text, int from, int end, KeyParts parts) {
    bytes = text;
    to = end;
    Arrays.fill(starts, ODD);
    int at = value(blanks(from), root, 0);
    if (at == ODD || blanks(at) != end) {
      return false;
    }
    for (int part = 0; part < starts.length; part++) {
      if (starts[part] == ODD) {
        return false;
      }
      parts.setBytes(part, text, starts[part], ends[part]);
    }
    return true;
  }

  /** Goes over a value, of which a step wants something, or nothing if it is null. */
  private int value(int at, Step step, int depth) {
    if (at >= to) {
      return ODD;
    }
    int part = step == null ? -1 : step.part();
    return switch (bytes[at]) {
      case '"' -> text(at, part);
      case '{' -> part >= 0 || depth == MAX_DEPTH ? ODD : object(at + 1, step, depth);
      case '[' -> part >= 0 || depth == MAX_DEPTH ? ODD : array(at + 1, step, depth);
      default -> bareword(at, part);
    };
  }

  private int text(int at, int part) {
    int end = string(at + 1);
    if (part >= 0 && end != ODD) {
      if (escaped) {
        return ODD;
      }
      found(part, at + 1, end - 1);
    }
    return end;
  }

  private void found(int part, int start, int end) {
    starts[part] = start;
    ends[part] = end;
  }

  private int object(int from, Step step, int depth) {
    int at = blanks(from);
    if (at < to && bytes[at] == '}') {
      return at + 1;
    }
    while (at < to && bytes[at] == '"') {
      int name = at + 1;
      int end = string(name);
      if (end == ODD || escaped) {
        return ODD;
      }
      at = blanks(end);
      if (at >= to || bytes[at] != ':') {
        return ODD;
      }
      Step next = step == null ? null : step.field(bytes, name, end - 1);
      at = value(blanks(at + 1), next, depth + 1);
      if (at == ODD) {
        return ODD;
      }
      at = blanks(at);
      if (at >= to) {
        return ODD;
      }
      if (bytes[at] == '}') {
        return at + 1;
      }
      if (bytes[at] != ',') {
        return ODD;
      }
      at = blanks(at + 1);
    }
    return ODD;
  }

  private int array(int from, Step step, int depth) {
    int at = blanks(from);
    if (at < to && bytes[at] == ']') {
      return at + 1;
    }
    for (int i = 0; at < to; i++) {
      at = value(at, step == null ? null : step.place(i), depth + 1);
      if (at == ODD) {
        return ODD;
      }
      at = blanks(at);
      if (at >= to) {
        return ODD;
      }
      if (bytes[at] == ']') {
        return at + 1;
      }
      if (bytes[at] != ',') {
        return ODD;
      }
      at = blanks(at + 1);
    }
    return ODD;
  }

  /** Goes from behind the opening quote of a string to behind the closing one. */
  private int string(int from) {
    byte[] b = bytes;
    int at = from;
    int end = to;
    escaped = false;
    while (at < end) {
      byte c = b[at];
      if (IN_STRING[c & 0xFF] == PLAIN) {
        at++;
      } else if (c == '"') {
        return at + 1;
      } else if (c == '\\') {
        escaped = true;
        at = escape(at + 1);
        if (at == ODD) {
          return ODD;
        }
      } else {
        int size = c >= 0 ? 0 : StrictUtf8.sizeAt(b, at, end);
        if (size == 0) {
          return ODD;
        }
        at += size;
      }
    }
    return ODD;
  }

  private int escape(int at) {
    if (at >= to) {
      return ODD;
    }
    return switch (bytes[at]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 1;
      case 'u' -> hexDigits(at + 1);
      default -> ODD;
    };
  }

  private int hexDigits(int from) {
    for (int i = from; i < from + 4; i++) {
      if (i >= to || bytes[i] < 0 || Character.digit((char) bytes[i], 16) < 0) {
        return ODD;
      }
    }
    return from + 4;
  }

  /** Goes over a number, true, false or null. */
  private int bareword(int at, int part) {
    int end =
        switch (bytes[at]) {
          case 't' -> word(at, "true");
          case 'f' -> word(at, "false");
          case 'n' -> word(at, "null");
          default -> number(at);
        };
    if (part >= 0 && end != ODD) {
      found(part, at, end);
    }
    return end;
  }

  private int word(int at, String word) {
    if (to - at < word.length()) {
      return ODD;
    }
    for (int i = 0; i < word.length(); i++) {
      if (bytes[at + i] != word.charAt(i)) {
        return ODD;
      }
    }
    return at + word.length();
  }

  private int number(int from) {
    int at = from;
    if (bytes[at] == '-') {
      at++;
    }
    int whole = at;
    at = digits(at);
    if (at == whole || (bytes[whole] == '0' && at > whole + 1)) {
      return ODD;
    }
    if (at < to && bytes[at] == '.') {
      int fraction = at + 1;
      at = digits(fraction);
      if (at == fraction) {
        return ODD;
      }
    }
    if (at < to && (bytes[at] | 0x20) == 'e') {
      at++;
      if (at < to && (bytes[at] == '+' || bytes[at] == '-')) {
        at++;
      }
      int exponent = at;
      at = digits(exponent);
      if (at == exponent) {
        return ODD;
      }
    }
    return at;
  }

  private int digits(int from) {
    int at = from;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at;
  }

  private int blanks(int from) {
    int at = from;
    while (at < to && bytes[at] <= ' ') {
      byte b = bytes[at];
      if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
        return at;
      }
      at++;
    }
    return at;
  }
}
