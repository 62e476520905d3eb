package dev.unseen.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Writes a file block by block. Each block is written from one buffer, with its checksum at the
 * end.
 */
final class BlockWriter {
  /** The largest number of bytes in a block's payload. */
  static final int MAX_PAYLOAD = 1 << 20;

  /** The size of a block's header in bytes: kind, index and length. */
  static final int HEADER_BYTES = 12;

  static final int FILE_HEADER_BYTES = 16;
  static final int CRC_BYTES = 4;

  private final WritableByteChannel to;
  private final ByteBuffer buffer;
  private final CRC32C crc = new CRC32C();
  private int[] sums = new int[16]; // of the blocks so far
  private int index;
  private long written;

  /**
   * Creates a writer that uses a buffer of {@link #newBuffer}, which nobody else may use at the
   * same time.
   */
  BlockWriter(WritableByteChannel to, ByteBuffer buffer) throws IOException {
    this.to = to;
    this.buffer = buffer.clear();
    buffer.putLong(SnapshotFormat.MAGIC).putInt(SnapshotFormat.VERSION).putInt(0);
    flush();
  }

  /**
   * Returns a buffer for a block outside the heap, from which a file is written without a copy.
   * Only a garbage collection frees it, so a caller that saves often keeps one.
   */
  static ByteBuffer newBuffer() {
    return ByteBuffer.allocateDirect(HEADER_BYTES + MAX_PAYLOAD + CRC_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns a buffer for a block in the heap, from which a stream is written. */
  static ByteBuffer newHeapBuffer() {
    return ByteBuffer.allocate(HEADER_BYTES + MAX_PAYLOAD + CRC_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Begins a block. */
  void begin(Frame kind) {
    buffer.clear().limit(HEADER_BYTES + MAX_PAYLOAD);
    buffer.putInt(kind.id).putInt(index++).putInt(0);
  }

  /** Returns the buffer that takes the payload. */
  ByteBuffer payload() {
    return buffer;
  }

  /** Ends a block and writes it. */
  void end() throws IOException {
    seal();
    flush();
  }

  /** Completes the block in the buffer with its length and its checksum. */
  private void seal() {
    int end = buffer.position();
    buffer.putInt(HEADER_BYTES - Integer.BYTES, end - HEADER_BYTES);
    buffer.flip();
    crc.reset();
    crc.update(buffer);
    int sum = (int) crc.getValue();
    buffer.limit(end + CRC_BYTES).position(end);
    buffer.putInt(sum);
    int number = buffer.getInt(Integer.BYTES);
    if (number == sums.length) {
      sums = Arrays.copyOf(sums, 2 * number);
    }
    sums[number] = sum;
  }

  /**
   * Writes the head again, once what it tells is known. It must be as long as the first time.
   *
   * @param file what was written so far
   */
  void rewriteHead(Consumer<ByteBuffer> payload, FileChannel file) throws IOException {
    int blocks = index;
    index = 0;
    begin(Frame.HEAD);
    index = blocks;
    payload.accept(buffer);
    seal();
    buffer.flip();
    for (long at = FILE_HEADER_BYTES; buffer.hasRemaining(); ) {
      at += file.write(buffer, at);
    }
    buffer.clear();
  }

  /** Writes the end mark: the number of blocks and bytes, and a checksum of all checksums. */
  void endOfFile() throws IOException {
    begin(Frame.END);
    long size = written + HEADER_BYTES + 2 * Long.BYTES + Integer.BYTES + CRC_BYTES;
    buffer.putLong(index).putLong(size).putInt(sumOfSums());
    end();
  }

  private int sumOfSums() {
    ByteBuffer all = ByteBuffer.allocate(CRC_BYTES * (index - 1)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < index - 1; i++) { // all but the end mark, which has begun
      all.putInt(sums[i]);
    }
    crc.reset();
    crc.update(all.flip());
    return (int) crc.getValue();
  }

  private void flush() throws IOException {
    buffer.flip();
    written += buffer.remaining();
    while (buffer.hasRemaining()) {
      to.write(buffer);
    }
    buffer.clear();
  }
}
