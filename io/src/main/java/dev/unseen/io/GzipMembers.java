package dev.unseen.io;

import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * All members of a gzip file. The JDK's reader takes whatever it cannot read behind a member for
 * the end of the file; here that is an error, for it may be a member that was cut off or damaged.
 */
final class GzipMembers extends GZIPInputStream {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int TRAILER_BYTES = 8;

  private final PeekedInput input;
  private long filledUpTo;

  GzipMembers(PeekedInput in) throws IOException {
    super(in, BUFFER_BYTES);
    input = in;
    filledUpTo = in.consumed();
  }

  @Override
  protected void fill() throws IOException {
    super.fill();
    filledUpTo = input.consumed();
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    int count = super.read(to, offset, length);
    if (count < 0) {
      long end = filledUpTo - inf.getRemaining() + TRAILER_BYTES;
      if (input.consumed() > end || input.available() > 0) {
        throw new ZipException("what follows its first %d bytes is not gzip".formatted(end));
      }
    }
    return count;
  }
}
