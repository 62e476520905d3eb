package dev.unseen.io;

import dev.unseen.io.JsonKeys.NoKeyException;
import java.io.IOException;

/** Reads the values at some paths of JSON Lines. Each line is parsed to its end. */
final class JsonKeyReader implements KeyReader {
  private final Source source;
  private final LineReader lines;
  private final JsonKeys keys;
  private final KeyParts parts;
  private long records;

  JsonKeyReader(Source source, KeySpec key, int maxBytes) throws InputException {
    this.source = source;
    source.skipByteOrderMark();
    lines = new LineReader(source, maxBytes);
    keys = new JsonKeys(key, maxBytes);
    parts = new KeyParts(keys.count());
  }

  @Override
  public boolean next() throws InputException {
    int end;
    do {
      if (!lines.next()) {
        return false;
      }
      end = lines.offset() + lines.length();
    } while (JsonKeys.isBlank(lines.buffer(), lines.offset(), end));
    try {
      keys.read(lines.buffer(), lines.offset(), end, parts);
    } catch (NoKeyException e) {
      throw new InputException(
          "%s, line %d, column %d: %s"
              .formatted(source.name(), lines.records(), e.column(), e.getMessage()),
          e);
    }
    records++;
    return true;
  }

  @Override
  public byte[] buffer() {
    return parts.buffer();
  }

  @Override
  public int offset() {
    return parts.offset();
  }

  @Override
  public int length() {
    return parts.length();
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
