package dev.unseen.io;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Reads all members of a gzip file (RFC 1952). Zeros after the last member are padding, as in gzip
 * itself. Anything else there is an error, because it may be a member that was cut off or damaged;
 * the JDK's reader would treat it as the end of the file.
 */
final class GzipMembers extends InputStream {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int FIXED_HEADER_BYTES = 10;
  private static final int DEFLATED = 8;
  private static final int HEADER_SUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;

  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 sum = new CRC32();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int limit;
  private long consumed;
  private boolean inMember;
  private boolean ended;

  GzipMembers(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    while (!ended) {
      if (!inMember && !readHeader()) {
        break;
      }
      int count = inflate(to, offset, length);
      if (count > 0) {
        sum.update(to, offset, count);
        return count;
      }
    }
    return -1;
  }

  /** Returns the next bytes of a member; 0 at its end. */
  private int inflate(byte[] to, int offset, int length) throws IOException {
    try {
      int count = inflater.inflate(to, offset, length);
      while (count == 0 && !inflater.finished()) {
        if (inflater.needsDictionary()) {
          throw new ZipException("it asks for a dictionary");
        }
        if (!fill()) {
          throw new EOFException();
        }
        inflater.setInput(buffer, at, limit - at);
        count = inflater.inflate(to, offset, length);
      }
      at = limit - inflater.getRemaining();
      if (count == 0) {
        readTrailer();
      }
      return count;
    } catch (DataFormatException e) {
      throw (IOException) new ZipException(String.valueOf(e.getMessage())).initCause(e);
    }
  }

  /** Reads a header up to the beginning of the data. Returns false if there is no other member. */
  private boolean readHeader() throws IOException {
    long start = consumed + at;
    int first = next();
    if (start > 0 && first <= 0) {
      while (first == 0) {
        first = next();
      }
      if (first < 0) {
        ended = true;
        return false;
      }
      throw noMember(start);
    }
    if (first != 0x1F || require() != 0x8B || require() != DEFLATED) {
      throw noMember(start);
    }
    int flags = require();
    for (int i = 4; i < FIXED_HEADER_BYTES; i++) {
      require();
    }
    if ((flags & EXTRA) != 0) {
      for (int size = require() | require() << 8; size > 0; size--) {
        require();
      }
    }
    skipText((flags & NAME) != 0);
    skipText((flags & COMMENT) != 0);
    if ((flags & HEADER_SUM) != 0) {
      require();
      require();
    }
    inMember = true;
    inflater.reset();
    inflater.setInput(buffer, at, limit - at);
    sum.reset();
    return true;
  }

  private static ZipException noMember(long start) {
    return new ZipException("what follows its first %d bytes is not gzip".formatted(start));
  }

  private void skipText(boolean there) throws IOException {
    while (there && require() != 0) {
      // continues
    }
  }

  private void readTrailer() throws IOException {
    long expectedSum = requireInt();
    long expectedSize = requireInt();
    if (expectedSum != sum.getValue()) {
      throw new ZipException("its checksum is wrong");
    }
    if (expectedSize != (inflater.getBytesWritten() & 0xFFFFFFFFL)) {
      throw new ZipException("its length is wrong");
    }
    inMember = false;
  }

  private long requireInt() throws IOException {
    return require() | require() << 8 | require() << 16 | (long) require() << 24;
  }

  private int require() throws IOException {
    int b = next();
    if (b < 0) {
      throw new EOFException();
    }
    return b;
  }

  private int next() throws IOException {
    return at < limit || fill() ? buffer[at++] & 0xFF : -1;
  }

  private boolean fill() throws IOException {
    consumed += limit;
    at = 0;
    limit = 0;
    int count = in.read(buffer, 0, buffer.length);
    limit = Math.max(count, 0);
    return count > 0;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
