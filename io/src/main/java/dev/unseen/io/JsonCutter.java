package dev.unseen.io;

import dev.unseen.io.JsonKeys.NoKeyException;

/** Cuts JSON Lines. Lines of nothing but blanks are no records. */
final class JsonCutter extends LineCutter {
  private final String file;
  private final JsonKeys keys;
  private final KeyParts parts;

  JsonCutter(byte lineEnd, CutSpec spec, String file) {
    super(lineEnd);
    this.file = file;
    keys = new JsonKeys(spec.key(), KeyReaders.MAX_RECORD_BYTES);
    parts = new KeyParts(keys.count(), spec.normal());
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
    if (JsonKeys.isBlank(bytes, from, end)) {
      sink.blank(next);
      return;
    }
    try {
      keys.read(bytes, from, end, parts);
    } catch (NoKeyException e) {
      sink.bad(next, lines(), e.column() + (from - start), e.getMessage());
      return;
    }
    parts.tell(next, sink);
  }
}
