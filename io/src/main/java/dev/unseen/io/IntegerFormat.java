package dev.unseen.io;

/** Integers of a fixed width. The key is their bytes. */
final class IntegerFormat implements Format {
  private final int width;

  IntegerFormat(int width) {
    this.width = width;
  }

  @Override
  public void check(RecordSpec spec, String id) {
    Format.rejectKey(spec, id);
    Format.rejectColumns(spec, id);
  }

  @Override
  public RecordCutter cutter(RecordSpec spec, String file) {
    return new Cutter(width, file);
  }

  @Override
  public RecordTagger tagger(RecordSpec spec) {
    throw new IllegalArgumentException("integers have no room for a tag; use another format");
  }

  private static final class Cutter implements RecordCutter {
    private final int width;
    private final String file;
    private long records;

    Cutter(int width, String file) {
      this.width = width;
      this.file = file;
    }

    @Override
    public int cut(byte[] bytes, int from, int to, boolean last, RecordSink sink)
        throws InputException {
      int at = from;
      for (; to - at >= width; at += width) {
        records++;
        sink.record(at + width, bytes, at, at + width, 0);
      }
      if (last && at < to) {
        throw new InputException(
            "%s ends within record %d: its length of %d is not a multiple of %d bytes; is its format int%dbe?"
                .formatted(
                    file, records + 1, records * width + (to - at), width, width * Byte.SIZE));
      }
      return at;
    }

    /** Returns the number of the record, because there are no lines. */
    @Override
    public long line() {
      return records + 1;
    }

    @Override
    public void leaveOut(long lines) {
      records += lines;
    }
  }
}
