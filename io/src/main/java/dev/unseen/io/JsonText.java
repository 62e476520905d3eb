package dev.unseen.io;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the text of JSON values that are known to be valid: strings without their escapes, objects
 * and arrays in one form of the many that they may have.
 */
final class JsonText {
  private static final byte[] NONE = {};
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private byte[] out = new byte[1 << 8];
  private int used;

  // Where each object and array of a value begins and ends, in the order of their beginnings.
  private byte[] bytes = NONE;
  private int[] opens = new int[16];
  private int[] closes = new int[16];
  private int nested;

  byte[] bytes() {
    return out;
  }

  int length() {
    return used;
  }

  /** Writes the text of a string, in UTF-8. Half of a pair of escapes stays what it is. */
  void unescape(byte[] json, int from, int to) {
    used = 0;
    reserve(to - from);
    appendString(json, from, to, false);
  }

  /**
   * Writes an object or array without blanks, the names of each object in the order of their bytes
   * and each once, the last value of a name, strings with no escapes but those they need. Numbers
   * stay as they are written.
   */
  void canonical(byte[] json, int from, int to) {
    used = 0;
    bytes = json;
    findNested(from, to);
    append(from);
    bytes = NONE;
  }

  private void findNested(int from, int to) {
    nested = 0;
    int[] open = new int[16];
    int depth = 0;
    for (int at = from; at < to; at++) {
      switch (bytes[at]) {
        case '"' -> at = endOfString(at) - 1;
        case '{', '[' -> {
          if (nested == opens.length) {
            opens = Arrays.copyOf(opens, 2 * nested);
            closes = Arrays.copyOf(closes, 2 * nested);
          }
          if (depth == open.length) {
            open = Arrays.copyOf(open, 2 * depth);
          }
          opens[nested] = at;
          open[depth++] = nested++;
        }
        case '}', ']' -> closes[open[--depth]] = at + 1;
        default -> {}
      }
    }
  }

  private int endOfString(int quote) {
    return endOfString(bytes, quote);
  }

  /** Returns the index after the string that begins with this quote. */
  static int endOfString(byte[] bytes, int quote) {
    int at = quote + 1;
    while (bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return at + 1;
  }

  private int endOfValue(int at) {
    return switch (bytes[at]) {
      case '"' -> endOfString(at);
      case '{', '[' -> closes[Arrays.binarySearch(opens, 0, nested, at)];
      default -> {
        int end = at;
        while (bytes[end] > ' ' && bytes[end] != ',' && bytes[end] != '}' && bytes[end] != ']') {
          end++;
        }
        yield end;
      }
    };
  }

  private int blanks(int from) {
    int at = from;
    while (bytes[at] <= ' ') {
      at++;
    }
    return at;
  }

  /** Writes the value that begins here; the place after it. */
  private int append(int at) {
    switch (bytes[at]) {
      case '{' -> appendObject(at);
      case '[' -> appendArray(at);
      case '"' -> {
        int end = endOfString(at);
        put('"');
        reserve(6 * (end - at));
        appendString(bytes, at + 1, end - 1, true);
        put('"');
        return end;
      }
      default -> {
        int end = endOfValue(at);
        reserve(end - at);
        System.arraycopy(bytes, at, out, used, end - at);
        used += end - at;
        return end;
      }
    }
    return endOfValue(at);
  }

  private void appendArray(int open) {
    put('[');
    int at = blanks(open + 1);
    while (bytes[at] != ']') {
      at = blanks(append(at));
      if (bytes[at] == ',') {
        put(',');
        at = blanks(at + 1);
      }
    }
    put(']');
  }

  private void appendObject(int open) {
    // By name, where the value begins; of members with the same name the last one counts.
    TreeMap<byte[], Integer> members = new TreeMap<>(Arrays::compareUnsigned);
    int at = blanks(open + 1);
    while (bytes[at] != '}') {
      int end = endOfString(at);
      JsonText name = new JsonText();
      name.unescape(bytes, at + 1, end - 1);
      int value = blanks(blanks(end) + 1);
      members.put(Arrays.copyOf(name.out, name.used), value);
      at = blanks(endOfValue(value));
      if (bytes[at] == ',') {
        at = blanks(at + 1);
      }
    }
    put('{');
    int first = used;
    for (Map.Entry<byte[], Integer> member : members.entrySet()) {
      if (used > first) {
        put(',');
      }
      put('"');
      reserve(6 * member.getKey().length);
      for (byte b : member.getKey()) {
        putEscaped(b);
      }
      put('"');
      put(':');
      append(member.getValue());
    }
    put('}');
  }

  /** Room for it must be there. */
  private void appendString(byte[] json, int from, int to, boolean escape) {
    int at = from;
    while (at < to) {
      byte b = json[at];
      if (b != '\\') {
        out[used++] = b;
        at++;
      } else if (json[at + 1] == 'u') {
        int point = hex(json, at + 2);
        at += 6;
        if (Character.isHighSurrogate((char) point)
            && at + 6 <= to
            && json[at] == '\\'
            && json[at + 1] == 'u'
            && Character.isLowSurrogate((char) hex(json, at + 2))) {
          point = Character.toCodePoint((char) point, (char) hex(json, at + 2));
          at += 6;
        }
        if (escape && point < 0x80) {
          putEscaped((byte) point);
        } else {
          used = StrictUtf8.put(point, out, used);
        }
      } else {
        byte plain = (byte) ESCAPED.charAt(ESCAPES.indexOf(json[at + 1]));
        at += 2;
        if (escape) {
          putEscaped(plain);
        } else {
          out[used++] = plain;
        }
      }
    }
  }

  private static int hex(byte[] json, int at) {
    int number = 0;
    for (int i = at; i < at + 4; i++) {
      number = number << 4 | Character.digit((char) json[i], 16);
    }
    return number;
  }

  /** Room for six bytes must be there. */
  private void putEscaped(byte b) {
    if (b == '"' || b == '\\') {
      out[used++] = '\\';
      out[used++] = b;
    } else if (b >= 0 && b < ' ') {
      for (char c : "\\u00%02x".formatted(b).toCharArray()) {
        out[used++] = (byte) c;
      }
    } else {
      out[used++] = b;
    }
  }

  /** A text as it stands between the quotes of a JSON string. */
  static String escape(String text) {
    StringBuilder json = new StringBuilder();
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
              } else if (c < ' ') {
                json.append("\\u00%02x".formatted(c));
              } else {
                json.append((char) c);
              }
            });
    return json.toString();
  }

  private void put(char c) {
    reserve(1);
    out[used++] = (byte) c;
  }

  private void reserve(int more) {
    if (more > out.length - used) {
      out = Arrays.copyOf(out, Math.max(2 * out.length, used + more));
    }
  }
}
