package dev.unseen.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A buffered stream whose next bytes can be looked at, and which knows where it ends. */
final class PeekedInput extends InputStream {
  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;
  private long fetched;

  PeekedInput(InputStream in) {
    this.in = in;
  }

  /** The next bytes, which stay unread: as many as asked for, or all there are. */
  byte[] peek(int count) throws IOException {
    while (limit - position < count && fill()) {
      // goes on
    }
    return Arrays.copyOfRange(buffer, position, Math.min(limit, position + count));
  }

  /** How many bytes were read. */
  long consumed() {
    return fetched - (limit - position);
  }

  @Override
  public int read() throws IOException {
    return position < limit || fill() ? buffer[position++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (position == limit) {
      if (length >= buffer.length) {
        int count = in.read(to, offset, length);
        fetched += Math.max(count, 0);
        return count;
      }
      if (length > 0 && !fill()) {
        return -1;
      }
    }
    int count = Math.min(length, limit - position);
    System.arraycopy(buffer, position, to, offset, count);
    position += count;
    return count;
  }

  /**
   * Zero at the end only. Waits for bytes if it must: a gzip reader takes zero for the end, and a
   * pipe says zero whenever its writer is slow.
   */
  @Override
  public int available() throws IOException {
    return position < limit || fill() ? limit - position : 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private boolean fill() throws IOException {
    if (position == limit) {
      position = 0;
      limit = 0;
    }
    int count = in.read(buffer, limit, buffer.length - limit);
    if (count <= 0) {
      return false;
    }
    limit += count;
    fetched += count;
    return true;
  }
}
