package dev.unseen.io;

import java.io.IOException;

/** Reads integers of a fixed width: the key is their bytes. */
final class IntegerReader implements KeyReader {
  private final Source source;
  private final int width;
  private final byte[] buffer = new byte[1 << 16];
  private int offset;
  private int limit;
  private long records;

  IntegerReader(Source source, int width) {
    this.source = source;
    this.width = width;
    offset = -width;
  }

  @Override
  public boolean next() throws InputException {
    offset += width;
    if (limit - offset < width && !fill()) {
      return false;
    }
    records++;
    return true;
  }

  /** Moves the rest to the front and reads until there is a whole integer. */
  private boolean fill() throws InputException {
    int rest = Math.max(limit - offset, 0);
    System.arraycopy(buffer, limit - rest, buffer, 0, rest);
    offset = 0;
    limit = rest;
    while (limit < width) {
      int count = source.read(buffer, limit, buffer.length - limit, records);
      if (count < 0) {
        if (limit > 0) {
          throw new InputException(
              "%s ends within record %d: its length of %d is no multiple of %d bytes; is its format int%dbe?"
                  .formatted(
                      source.name(), records + 1, records * width + limit, width, width * 8));
        }
        return false;
      }
      limit += count;
    }
    return true;
  }

  @Override
  public byte[] buffer() {
    return buffer;
  }

  @Override
  public int offset() {
    return offset;
  }

  @Override
  public int length() {
    return width;
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
