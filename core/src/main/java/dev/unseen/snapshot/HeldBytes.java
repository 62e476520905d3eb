package dev.unseen.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;

/**
 * Holds bytes in memory until they are released to a channel, so that the thread that writes them
 * does not wait for the disk or the network. Its memory is used again after each release.
 */
final class HeldBytes implements WritableByteChannel {
  private static final int PIECE = 1 << 20; // what a channel copies at once outside the heap

  private final WritableByteChannel to;
  private byte[] held = new byte[PIECE];
  private int length;

  HeldBytes(WritableByteChannel to) {
    this.to = to;
  }

  @Override
  public int write(ByteBuffer from) {
    int more = from.remaining();
    if (held.length - length < more) {
      held = Arrays.copyOf(held, Math.max(Math.addExact(length, more), 2 * length));
    }
    from.get(held, length, more);
    length += more;
    return more;
  }

  void release() throws IOException {
    for (int at = 0; at < length; ) {
      int piece = Math.min(PIECE, length - at);
      Blocking.write(ByteBuffer.wrap(held, at, piece), to);
      at += piece;
    }
    length = 0;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
