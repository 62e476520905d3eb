package dev.unseen.io;

/** Tags JSON objects: in the field of that name, or in a last one if there is none. */
final class JsonTagger extends RecordTagger {
  private final JsonScanner scanner;
  private final byte[][] values;
  private final byte[][] onlyFields;
  private final byte[][] lastFields;

  JsonTagger(String name) {
    String field = '"' + JsonText.escape(name) + "\":\"";
    scanner = new JsonScanner(new JsonPaths(name));
    values = words("\"", "\"");
    onlyFields = words(field, "\"");
    lastFields = words("," + field, "\"");
  }

  /** The record is known to be an object, and valid. */
  @Override
  public void tag(byte[] bytes, int start, int end, boolean fresh) {
    int word = fresh ? 1 : 0;
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
      insert(scanner.rawStart(0), scanner.rawEnd(0), values[word]);
      return;
    }
    int close = last - 1;
    int before = close - 1;
    while (before > first && bytes[before] <= ' ') {
      before--;
    }
    insert(close, close, before > first ? lastFields[word] : onlyFields[word]);
  }
}
