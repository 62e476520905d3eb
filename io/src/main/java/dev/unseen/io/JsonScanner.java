package dev.unseen.io;

import dev.unseen.io.JsonPaths.Step;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the values at some paths of a JSON text (RFC 8259) in one pass over its bytes, and checks
 * all of it on the way: bytes that are not UTF-8 are no JSON. Of fields with the same name the last
 * counts, with all that is in it.
 */
final class JsonScanner {
  /** The most values that may lie within each other. */
  static final int MAX_DEPTH = 1000;

  private static final int BAD = -1;

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

  /** How the text of a value is found in its bytes. */
  private enum Form {
    /** It is these bytes. */
    AS_IT_IS,
    /** It is a string with escapes. */
    ESCAPED,
    /** It is an object or array. */
    NESTED
  }

  private static final int[] NO_PLACES = {};

  private final Step root;
  private final int[] starts; // of the values found
  private final int[] ends;
  private final Form[] forms;
  private final JsonText texts = new JsonText();
  private final JsonShapes shapes = new JsonShapes();
  private byte[] bytes = {};
  private int to;
  private boolean escaped; // whether the string read last has an escape
  private String trouble = "";
  private int troubleAt;

  JsonScanner(JsonPaths paths) {
    root = paths.root;
    starts = new int[paths.count()];
    ends = new int[paths.count()];
    forms = new Form[paths.count()];
  }

  /** Scans a text; returns false if it is not JSON, and then {@link #trouble} has the reason. */
  boolean scan(byte[] text, int from, int end) {
    bytes = text;
    to = end;
    JsonShape shape = shapes.find(text, from, end);
    if (shape != null) {
      takePlaces(shape);
      return true;
    }
    boolean taken = parse(from, end);
    if (taken) {
      shapes.learn(text, from, end, starts);
    }
    return taken;
  }

  private void takePlaces(JsonShape shape) {
    for (int part = 0; part < starts.length; part++) {
      starts[part] = shape.startOf(part);
      if (starts[part] != BAD) {
        ends[part] = shape.endOf(part);
        forms[part] = Form.AS_IT_IS;
      }
    }
  }

  private boolean parse(int from, int end) {
    Arrays.fill(starts, BAD);
    int at = value(blanks(from), root, 0);
    if (at == BAD) {
      return false;
    }
    int rest = blanks(at);
    if (rest < end) {
      trouble =
          "there is more than one JSON value in the line; put each on a line of its own, or choose"
              + " format json";
      troubleAt = rest;
      return false;
    }
    return true;
  }

  /** Returns what is wrong with the text. */
  String trouble() {
    return trouble;
  }

  /** Returns where the error is. */
  int troubleAt() {
    return troubleAt;
  }

  /** Returns whether the text has a value for this part. */
  boolean isFound(int part) {
    return starts[part] != BAD;
  }

  /** Returns whether the text has a value for this part, whose bytes are its text. */
  boolean isAsItIs(int part) {
    return starts[part] != BAD && forms[part] == Form.AS_IT_IS;
  }

  /** Returns whether a value that was found is null, and not a string of that text. */
  boolean isNull(int part) {
    return forms[part] == Form.AS_IT_IS
        && ends[part] - starts[part] == 4
        && bytes[starts[part]] == 'n'
        && bytes[starts[part] + 1] == 'u'
        && bytes[starts[part] + 2] == 'l'
        && !isString(part);
  }

  /** Returns where the text of a value begins. */
  int start(int part) {
    return starts[part];
  }

  /** Returns where the text of a value ends. */
  int end(int part) {
    return ends[part];
  }

  /** Returns where a value begins, its quote included. */
  int rawStart(int part) {
    return isString(part) ? starts[part] - 1 : starts[part];
  }

  /** Returns where a value ends, its quote included. */
  int rawEnd(int part) {
    return isString(part) ? ends[part] + 1 : ends[part];
  }

  private boolean isString(int part) {
    int before = starts[part] - 1;
    return forms[part] != Form.NESTED
        && before >= 0
        && bytes[before] == '"'
        && ends[part] < to
        && bytes[ends[part]] == '"';
  }

  /** Sets a part of the key to a value that was found. */
  void take(int part, int into, KeyParts parts) {
    switch (forms[part]) {
      case AS_IT_IS -> parts.setBytes(into, bytes, starts[part], ends[part]);
      case ESCAPED -> {
        texts.unescape(bytes, starts[part], ends[part]);
        parts.setBytes(into, texts.bytes(), 0, texts.length());
      }
      case NESTED -> {
        texts.canonical(bytes, starts[part], ends[part]);
        parts.setBytes(into, texts.bytes(), 0, texts.length());
      }
    }
  }

  private int bad(int at, String why) {
    troubleAt = at;
    trouble = "the JSON does not parse: %s; correct the line or leave it out".formatted(why);
    return BAD;
  }

  /** Fails: the text does not continue as it must. */
  private int unexpected(int at, String expected) {
    if (at < to) {
      return bad(at, "there is %s where %s must be".formatted(shown(bytes[at]), expected));
    }
    int end = to;
    while (end > 0 && isBlank(bytes[end - 1])) {
      end--;
    }
    return bad(end, "it ends too early");
  }

  private static String shown(byte b) {
    return b > ' ' && b < 0x7F ? "'" + (char) b + "'" : "byte 0x%02x".formatted(b & 0xFF);
  }

  /** Scans a value, of which a step wants something; null wants nothing. */
  private int value(int at, @Nullable Step step, int depth) {
    if (at >= to) {
      return unexpected(at, "a value");
    }
    return switch (bytes[at]) {
      case '"' -> text(at, step);
      case '{', '[' -> nested(at, step, depth);
      default -> bareword(at, step);
    };
  }

  private int text(int at, @Nullable Step step) {
    int end = string(at + 1);
    if (step != null && end != BAD) {
      found(step, at + 1, end - 1, escaped ? Form.ESCAPED : Form.AS_IT_IS);
    }
    return end;
  }

  private int nested(int at, @Nullable Step step, int depth) {
    if (depth == MAX_DEPTH) {
      return bad(at, "the values are nested more than %,d deep".formatted(MAX_DEPTH));
    }
    if (step != null) {
      forgetBelow(step);
    }
    int end = bytes[at] == '{' ? object(at + 1, step, depth) : array(at + 1, step, depth);
    if (step != null && end != BAD) {
      take(step.part, at, end, Form.NESTED);
    }
    return end;
  }

  /** Takes a value without values in it. */
  private void found(Step step, int start, int end, Form form) {
    forgetBelow(step);
    take(step.part, start, end, form);
  }

  /** Forgets what an earlier field with the same name had in it. */
  private void forgetBelow(Step step) {
    for (int part : step.below) {
      starts[part] = BAD;
    }
  }

  private void take(int part, int start, int end, Form form) {
    if (part >= 0) {
      starts[part] = start;
      ends[part] = end;
      forms[part] = form;
    }
  }

  private int object(int from, @Nullable Step step, int depth) {
    int at = blanks(from);
    if (at < to && bytes[at] == '}') {
      return at + 1;
    }
    while (at < to && bytes[at] == '"') {
      int name = at + 1;
      int end = string(name);
      if (end == BAD) {
        return BAD;
      }
      @Nullable Step next = step == null ? null : field(step, name, end - 1);
      at = blanks(end);
      if (at >= to || bytes[at] != ':') {
        return unexpected(at, "a colon");
      }
      at = value(blanks(at + 1), next, depth + 1);
      if (at == BAD) {
        return BAD;
      }
      at = blanks(at);
      if (at >= to || bytes[at] != ',') {
        return at < to && bytes[at] == '}' ? at + 1 : unexpected(at, "a comma or }");
      }
      at = blanks(at + 1);
    }
    return unexpected(at, "a name in double quotes");
  }

  private @Nullable Step field(Step step, int name, int end) {
    if (!escaped) {
      return step.field(bytes, name, end);
    }
    texts.unescape(bytes, name, end);
    return step.field(texts.bytes(), 0, texts.length());
  }

  private int array(int from, @Nullable Step step, int depth) {
    int wanted = step == null ? 0 : step.fromEnd;
    int[] last =
        wanted == 0 ? NO_PLACES : new int[wanted]; // where the last values begin, in a ring
    int at = blanks(from);
    int count = 0;
    if (at < to && bytes[at] == ']') {
      return at + 1;
    }
    while (true) {
      if (wanted > 0) {
        last[count % wanted] = at;
      }
      at = value(at, step == null ? null : step.place(count), depth + 1);
      count++;
      if (at == BAD) {
        return BAD;
      }
      at = blanks(at);
      if (at >= to || bytes[at] != ',') {
        break;
      }
      at = blanks(at + 1);
    }
    if (at >= to || bytes[at] != ']') {
      return unexpected(at, "a comma or ]");
    }
    for (int back = 1; step != null && back <= Math.min(wanted, count); back++) {
      Step next = step.place(-back);
      if (next != null) {
        value(last[(count - back) % wanted], next, depth + 1); // once more, for what is in it
      }
    }
    return at + 1;
  }

  /** Scans a string, from after its opening quote to after the closing one. */
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
        if (at == BAD) {
          return BAD;
        }
      } else {
        int size = c >= 0 ? 0 : StrictUtf8.sizeAt(b, at, end);
        if (size == 0) {
          return bad(
              at,
              c < 0
                  ? "byte 0x%02x is not UTF-8".formatted(c & 0xFF)
                  : "byte 0x%02x in a string must be written as \\u%04x".formatted(c, c));
        }
        at += size;
      }
    }
    return unexpected(end, "a quote");
  }

  private int escape(int at) {
    if (at >= to) {
      return unexpected(at, "an escape");
    }
    return switch (bytes[at]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 1;
      case 'u' -> hexDigits(at + 1);
      default -> bad(at, "there is no escape \\" + (char) (bytes[at] & 0x7F));
    };
  }

  private int hexDigits(int from) {
    for (int i = from; i < from + 4; i++) {
      if (i >= to || bytes[i] < 0 || Character.digit((char) bytes[i], 16) < 0) {
        return unexpected(i, "a hexadecimal digit");
      }
    }
    return from + 4;
  }

  /** Scans a number, true, false or null. */
  private int bareword(int at, @Nullable Step step) {
    int end =
        switch (bytes[at]) {
          case 't' -> word(at, "true");
          case 'f' -> word(at, "false");
          case 'n' -> word(at, "null");
          default -> number(at);
        };
    if (step != null && end != BAD) {
      found(step, at, end, Form.AS_IT_IS);
    }
    return end;
  }

  private int word(int at, String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at + i >= to || bytes[at + i] != word.charAt(i)) {
        return unexpected(at + i, "the word " + word);
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
    if (at == whole) {
      return unexpected(at, at == from ? "a value" : "a digit");
    }
    if (bytes[whole] == '0' && at > whole + 1) {
      return bad(whole, "a number must not begin with 0");
    }
    if (at < to && bytes[at] == '.') {
      int fraction = at + 1;
      at = digits(fraction);
      if (at == fraction) {
        return unexpected(at, "a digit");
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
        return unexpected(at, "a digit");
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
    while (at < to && isBlank(bytes[at])) {
      at++;
    }
    return at;
  }

  static boolean isBlank(byte b) {
    return b <= ' ' && (b == ' ' || b == '\n' || b == '\r' || b == '\t'); // few bytes need more
  }
}
