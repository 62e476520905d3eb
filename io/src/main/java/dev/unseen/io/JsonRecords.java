package dev.unseen.io;

/** Finds the key and the time of a JSON text, and reports them. */
final class JsonRecords {
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private final JsonPaths paths;
  private final JsonScanner scanner;
  private final KeyParts parts;
  private final RecordSpec spec;
  private final boolean isLines; // else values may go over lines, and arrays hold records
  private final boolean isPlain; // the key is one value and nothing is made of it

  JsonRecords(RecordSpec spec, boolean isLines) {
    this.spec = spec;
    this.isLines = isLines;
    paths = new JsonPaths(spec.key(), spec.time());
    scanner = new JsonScanner(paths);
    parts = new KeyParts(Math.max(1, paths.keyParts), spec.normal());
    isPlain =
        paths.keyParts == 1
            && spec.time() == null
            && spec.normal().isNothing()
            && spec.tag() == null;
  }

  /**
   * Reports a record.
   *
   * @param lineStart where the line begins, of which columns are counted
   * @param from where the JSON text begins
   * @param to where it ends
   * @param next after the record's end
   */
  void report(byte[] bytes, int lineStart, int from, int to, int next, long line, RecordSink sink)
      throws InputException {
    if (!scanner.scan(bytes, from, to)) {
      String trouble = isLines && line == 1 ? hinted(bytes, from, to) : scanner.trouble();
      bad(bytes, lineStart, from, scanner.troubleAt(), next, line, trouble, sink);
      return;
    }
    if (isPlain && scanner.isAsItIs(0) && !scanner.isNull(0)) {
      sink.record(next, bytes, scanner.start(0), scanner.end(0), 0);
      return;
    }
    if (spec.tag() != null && bytes[textStart(bytes, from)] != '{') {
      sink.bad(
          next,
          line,
          from - lineStart + 1L,
          "the record is not a JSON object, so it has no field '%s'; leave the record out"
              .formatted(spec.tag()));
      return;
    }
    int missing = takeKey(bytes, from, to);
    if (missing >= 0) {
      if (missing < paths.keyParts) {
        sink.nullKey();
      }
      sink.bad(
          next,
          line,
          from - lineStart + 1L,
          missingField(
              paths.path(missing),
              missing >= paths.keyParts ? "time" : "key",
              isLines && bytes[textStart(bytes, from)] == '['));
      return;
    }
    long time = 0;
    if (paths.timePart >= 0) {
      try {
        time = parts.time();
      } catch (IllegalArgumentException e) {
        int at = scanner.rawStart(paths.timePart);
        bad(bytes, lineStart, from, at, next, line, String.valueOf(e.getMessage()), sink);
        return;
      }
    }
    if (isNullKey()) {
      sink.nullKey();
      if (!spec.missingIsNull()) {
        int at = scanner.rawStart(0);
        bad(bytes, lineStart, from, at, next, line, nullKeyInWords(), sink);
        return;
      }
    }
    parts.finish(Math.max(1, paths.keyParts));
    parts.report(next, time, sink);
  }

  /** Returns whether there is a key, and nothing in it. */
  private boolean isNullKey() {
    for (int part = 0; part < paths.keyParts; part++) {
      if (scanner.isFound(part) && !scanner.isNull(part)) {
        return false;
      }
    }
    return paths.keyParts > 0;
  }

  private String nullKeyInWords() {
    String what =
        paths.keyParts == 1
            ? "the field '%s', which is the key, is null".formatted(paths.path(0))
            : "all fields of the key are null";
    return what + Format.NULL_KEY_REMEDY;
  }

  /** Returns the trouble of the first line: the whole file may be of another format. */
  private String hinted(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && JsonScanner.isBlank(bytes[end - 1])) {
      end--;
    }
    boolean opens = end > from && (bytes[end - 1] == '{' || bytes[end - 1] == '[');
    return opens
        ? "the JSON does not end in its line; choose format json if it goes over several lines"
        : scanner.trouble();
  }

  /** Reports an error at a place that may be in a later line than the one in which it began. */
  private static void bad(
      byte[] bytes,
      int lineStart,
      int from,
      int at,
      int next,
      long line,
      String reason,
      RecordSink sink)
      throws InputException {
    long atLine = line;
    int start = lineStart;
    for (int i = from; i < at; i++) {
      if (bytes[i] == '\n') {
        atLine++;
        start = i + 1;
      }
    }
    sink.bad(next, atLine, at - start + 1L, reason);
  }

  /** Takes the parts of the key; the one that is missing, or -1. */
  private int takeKey(byte[] bytes, int from, int to) {
    parts.clear();
    if (paths.keyParts == 0) {
      parts.setBytes(0, bytes, from, to);
      return -1;
    }
    for (int part = 0; part < paths.keyParts; part++) {
      if (scanner.isFound(part)) {
        scanner.take(part, part, parts);
      } else if (spec.missingIsNull()) {
        parts.setBytes(part, NULL, 0, NULL.length);
      } else {
        return part;
      }
    }
    int time = paths.timePart;
    if (time >= 0) {
      if (!scanner.isFound(time)) {
        return time;
      }
      scanner.take(time, KeyParts.TIME, parts);
    }
    return -1;
  }

  private static String missingField(String path, String what, boolean inArray) {
    return inArray
        ? ("the line is a JSON array, which has no field '%s', the %s; choose format json if its"
                + " values are the records")
            .formatted(path, what)
        : "the record has no field '%s', which is the %s; %s".formatted(path, what, remedy(path));
  }

  /** Returns what to do about a missing field, which may have been written in another way. */
  private static String remedy(String path) {
    String usual = "add it or leave the record out";
    if (path.startsWith("$.") || path.startsWith("$[")) { // JSONPath
      return "write '%s' instead".formatted(path.substring(path.charAt(1) == '.' ? 2 : 1));
    }
    String name = path.startsWith(".") ? path.substring(1) : path;
    String oneName = name.replaceAll("(?<!\\\\)\\.", "\\\\.");
    return name.equals(oneName)
        ? usual
        : "write '%s' if its name has a dot, %s".formatted(oneName, usual);
  }

  private static int textStart(byte[] bytes, int from) {
    int at = from;
    while (JsonScanner.isBlank(bytes[at])) {
      at++;
    }
    return at;
  }
}
