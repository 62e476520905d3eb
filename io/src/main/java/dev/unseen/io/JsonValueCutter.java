package dev.unseen.io;

/**
 * Cuts JSON values that follow each other, and the values of arrays on the outermost level. A
 * record is the value, with the blanks and the line end after it if nothing else is in the line. A
 * value that is not JSON is bad up to the end of the line in which that shows.
 */
final class JsonValueCutter implements RecordCutter {
  private static final String NO_COMMA = "there must be a comma between the values of an array";
  private static final String NO_VALUE = "there must be a value after each comma of an array";

  /** What may come next in an array. */
  private enum Expected {
    VALUE,
    VALUE_OR_END,
    COMMA_OR_END
  }

  private final String file;
  private final JsonRecords records;
  private boolean started;
  private boolean inArray; // on the outermost level
  private Expected expected = Expected.VALUE_OR_END; // in such an array

  // The value that has not ended, all places relative to where it begins.
  private int scanned;
  private int depth;
  private boolean inString;
  private boolean ended;

  private long line = 1; // of where the next piece begins
  private int column; // bytes of that line before it

  JsonValueCutter(RecordSpec spec, String file) {
    this.file = file;
    records = new JsonRecords(spec, false);
  }

  @Override
  public int cut(byte[] bytes, int from, int to, boolean last, RecordSink sink)
      throws InputException {
    int start = from;
    if (!started) {
      if (to - from < 3 && !last && ByteOrderMark.mayBegin(bytes, from, to)) {
        return from;
      }
      started = true;
      start += ByteOrderMark.length(bytes, from, to, file);
      if (start > from) {
        sink.mark(start);
      }
    }
    while (start < to) {
      int next = scanned > 0 ? start : between(bytes, start, to, sink);
      start = next;
      if (start == to) {
        break;
      }
      int end = value(bytes, start, to, last);
      if (end < 0) {
        return start;
      }
      start = report(bytes, start, end, to, sink);
    }
    if (last && inArray) {
      throw new InputException(
          "%s is cut off: its JSON array is not closed; copy or make the file again"
              .formatted(file));
    }
    return start;
  }

  /** Skips what is between values; returns where one begins, or the end of the bytes. */
  private int between(byte[] bytes, int start, int to, RecordSink sink) throws InputException {
    int at = start;
    while (at < to) {
      byte b = bytes[at];
      boolean opens = b == '[' && !inArray;
      boolean closes = b == ']' && inArray && expected != Expected.VALUE;
      if (opens || closes) {
        inArray = opens;
        expected = Expected.VALUE_OR_END;
      } else if (b == ',' && inArray && expected == Expected.COMMA_OR_END) {
        expected = Expected.VALUE;
      } else if (!JsonScanner.isBlank(b)) {
        break;
      }
      at++;
    }
    if (at > start) {
      count(bytes, start, at);
      sink.between(at);
    }
    return at;
  }

  /** Returns the end of the value that begins here; -1 if it has not been read yet. */
  private int value(byte[] bytes, int start, int to, boolean last) {
    int at = start + scanned;
    for (; at < to && !ended; at++) {
      byte b = bytes[at];
      if (inString) {
        if (b == '\\' && at + 1 < to) {
          at++;
        } else if (b == '\\' && !last) {
          break; // what it escapes is not here yet
        } else if (b == '"') {
          inString = false;
          ended = depth == 0;
        }
      } else if (b == '"') {
        inString = true;
      } else if (b == '{' || b == '[') {
        depth++;
      } else if (b == '}' || b == ']') {
        if (depth == 0) { // it closes the array around it, or nothing at all
          at += at == start ? 1 : 0;
          ended = true;
          break;
        }
        ended = --depth == 0;
      } else if (depth == 0 && at > start && (b == ',' || JsonScanner.isBlank(b))) {
        ended = true;
        break;
      } else if (depth == 0 && b == ',') {
        at++; // a comma where a value must be
        ended = true;
        break;
      }
    }
    if (!ended && !last) {
      scanned = at - start;
      return -1;
    }
    int end = ended ? at : to;
    reset();
    return end;
  }

  private void reset() {
    scanned = 0;
    depth = 0;
    inString = false;
    ended = false;
  }

  private int report(byte[] bytes, int start, int end, int to, RecordSink sink)
      throws InputException {
    int next = end;
    while (next < to && (bytes[next] == ' ' || bytes[next] == '\t' || bytes[next] == '\r')) {
      next++;
    }
    boolean alone = next < to && bytes[next] == '\n';
    next = alone ? next + 1 : end;
    long atLine = line;
    int before = column;
    count(bytes, start, next);
    Expected was = expected;
    expected = Expected.COMMA_OR_END;
    if (inArray && was == Expected.COMMA_OR_END) {
      sink.bad(next, atLine, before + 1L, NO_COMMA);
    } else if (inArray && bytes[start] == ']') {
      inArray = false;
      sink.bad(next, atLine, before + 1L, NO_VALUE);
    } else {
      records.report(bytes, start - before, start, end, next, atLine, sink);
    }
    return next;
  }

  private void count(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      column++;
      if (bytes[i] == '\n') {
        line++;
        column = 0;
      }
    }
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public void leaveOut(long lines) {
    line += lines;
    column = 0;
    reset();
  }
}
