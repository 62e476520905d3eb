package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Tags JSON objects: in the field of that name, or in a last one if there is none. */
final class JsonTagger extends RecordTagger {
  private final JsonScanner scanner;
  private final byte[] fieldBefore;
  private final byte[] field;
  private final byte[][] values;

  JsonTagger(String name) {
    String quoted = '"' + JsonText.escape(name) + "\":";
    scanner = new JsonScanner(JsonPaths.ofField(name));
    fieldBefore = ("," + quoted).getBytes(UTF_8);
    field = quoted.getBytes(UTF_8);
    values = new byte[][] {value(false), value(true)};
  }

  private static byte[] value(boolean fresh) {
    return ('"' + word(fresh) + '"').getBytes(UTF_8);
  }

  /** The record is known to be an object, and valid. */
  @Override
  public void tag(byte[] bytes, int start, int end, boolean fresh) {
    byte[] value = values[fresh ? 1 : 0];
    int last = end;
    while (bytes[last - 1] != '}') {
      last--;
    }
    int first = start;
    while (bytes[first] != '{') {
      first++;
    }
    scanner.scan(bytes, first, last);
    if (scanner.isFound(0)) {
      insert(scanner.rawStart(0), scanner.rawEnd(0), value);
      return;
    }
    int close = last - 1;
    int before = close - 1;
    while (before > first && bytes[before] <= ' ') {
      before--;
    }
    insert(close, close, joined(before > first ? fieldBefore : field, value));
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = new byte[one.length + other.length];
    System.arraycopy(one, 0, both, 0, one.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }
}
