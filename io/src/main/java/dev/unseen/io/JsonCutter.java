package dev.unseen.io;

/** Cuts JSON Lines. Lines that contain only blanks are not records. */
final class JsonCutter extends LineCutter {
  private final RecordSpec spec;
  private final String file;
  private final JsonRecords records;

  JsonCutter(RecordSpec spec, String file) {
    super(spec.lineEnd());
    this.spec = spec;
    this.file = file;
    records = new JsonRecords(spec, true);
  }

  @Override
  LineCutter another() {
    return new JsonCutter(spec, file);
  }

  @Override
  void line(byte[] bytes, int start, int end, int next, RecordSink sink) throws InputException {
    int from = start;
    if (lines() == 1) {
      from += ByteOrderMark.length(bytes, start, end, file);
      if (from > start) {
        sink.mark(from);
      }
    }
    int blanks = from;
    while (blanks < end && JsonScanner.isBlank(bytes[blanks])) {
      blanks++;
    }
    if (blanks == end) {
      sink.blank(next);
    } else {
      records.report(bytes, start, from, end, next, lines(), sink);
    }
  }
}
