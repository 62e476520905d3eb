package dev.unseen.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Reads and writes all bytes of a buffer, and rejects a channel that does not wait for them: asking
 * it again and again would keep a CPU busy.
 */
final class Blocking {
  private Blocking() {}

  /** Writes all bytes that remain in a buffer. */
  static void write(ByteBuffer from, WritableByteChannel to) throws IOException {
    while (from.hasRemaining()) {
      int before = from.remaining();
      to.write(from);
      requireProgress(from.remaining() < before);
    }
  }

  /** Reads until a buffer is full. Returns false if the channel ends before. */
  static boolean read(ReadableByteChannel from, ByteBuffer to) throws IOException {
    while (to.hasRemaining()) {
      int count = from.read(to);
      if (count < 0) {
        return false;
      }
      requireProgress(count > 0);
    }
    return true;
  }

  private static void requireProgress(boolean progress) throws IOException {
    if (!progress) {
      throw new IOException(
          "the channel is non-blocking, and a state needs one that waits for its bytes; call configureBlocking(true), or read and write the bytes yourself");
    }
  }
}
