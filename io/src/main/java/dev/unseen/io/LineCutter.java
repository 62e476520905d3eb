package dev.unseen.io;

/**
 * Cuts at each line end. Only that byte ends a line; all others are just bytes. A last line without
 * it is a line too.
 */
class LineCutter implements RecordCutter {
  private final byte lineEnd;
  private final KeyNormalization normal;
  private final LineEnds found;
  private final boolean wholeLines; // are the keys, as they are
  private final KeyParts normalized;
  private int scanned; // of the line that has not ended
  private long lines;

  LineCutter(byte lineEnd, KeyNormalization normal) {
    this(lineEnd, normal, normal.isNothing());
  }

  /** Creates a cutter for a subclass that finds keys within the lines. */
  LineCutter(byte lineEnd) {
    this(lineEnd, KeyNormalization.NOTHING, false);
  }

  private LineCutter(byte lineEnd, KeyNormalization normal, boolean wholeLines) {
    this.lineEnd = lineEnd;
    this.normal = normal;
    this.found = new LineEnds(lineEnd);
    this.wholeLines = wholeLines;
    this.normalized = new KeyParts(1, normal);
  }

  @Override
  public final int cut(byte[] bytes, int from, int to, boolean last, RecordSink sink)
      throws InputException {
    int start = from;
    int at = from + scanned;
    while (at < to) {
      int count = found.find(bytes, at, to);
      at = found.scanned();
      if (count > 0) {
        lines(bytes, start, found.ends(), count, sink);
        start = found.ends()[count - 1];
      }
    }
    if (last && start < to) {
      lines++;
      line(bytes, start, to, to, sink);
      start = to;
    }
    scanned = to - start;
    return start;
  }

  /** Takes lines that follow each other, each with its end. */
  private void lines(byte[] bytes, int start, int[] ends, int count, RecordSink sink)
      throws InputException {
    if (wholeLines) {
      lines += count;
      sink.lines(bytes, start, ends, count);
      return;
    }
    int from = start;
    for (int i = 0; i < count; i++) {
      lines++;
      line(bytes, from, ends[i] - 1, ends[i], sink);
      from = ends[i];
    }
  }

  /** Takes a line; {@code next} is after its line end. */
  void line(byte[] bytes, int start, int end, int next, RecordSink sink) throws InputException {
    if (wholeLines) {
      sink.record(next, bytes, start, end, 0);
    } else {
      normalized.clear();
      normalized.setBytes(0, bytes, start, end);
      normalized.finish(1);
      normalized.report(next, 0, sink);
    }
  }

  /** The lines found so far; the last of them is the current one. */
  final long lines() {
    return lines;
  }

  @Override
  public final boolean splitsAtLineEnds() {
    return true;
  }

  @Override
  public final RecordCutter fork() {
    LineCutter fork = another();
    fork.lines = 1; // the first line of the file is not among its own
    return fork;
  }

  /** Returns a cutter like this that has cut nothing. */
  LineCutter another() {
    return new LineCutter(lineEnd, normal, wholeLines);
  }

  @Override
  public final long line() {
    return lines + 1;
  }

  @Override
  public final void leaveOut(long more) {
    lines += more;
    scanned = 0;
  }
}
