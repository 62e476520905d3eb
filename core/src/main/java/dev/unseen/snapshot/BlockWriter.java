package dev.unseen.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/**
 * Writes a file block by block. Each block is written from one buffer, with its checksum at the
 * end.
 */
final class BlockWriter {
  static final int MAX_PAYLOAD = 1 << 20;

  /** The size of a block's header in bytes: kind, index and length. */
  static final int HEADER_BYTES = 12;

  static final int FILE_HEADER_BYTES = 16;
  static final int CRC_BYTES = 4;

  private final WritableByteChannel to;
  private final ByteBuffer buffer;
  private final CRC32C crc = new CRC32C();
  private final CRC32C crcOfCrcs = new CRC32C();
  private int index;
  private long written;

  /** Creates a writer that uses this buffer alone. */
  BlockWriter(WritableByteChannel to, ByteBuffer buffer) throws IOException {
    this.to = to;
    this.buffer = buffer.clear();
    buffer.putLong(SnapshotFormat.MAGIC).putInt(SnapshotFormat.VERSION).putInt(0);
    flush();
  }

  /**
   * Returns a buffer outside the heap, which spares files a copy. Only a garbage collection frees
   * it, so a caller that saves often keeps one.
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

  void begin(Frame kind) {
    buffer.clear().limit(HEADER_BYTES + MAX_PAYLOAD);
    buffer.putInt(kind.id).putInt(index++).putInt(0);
  }

  ByteBuffer payload() {
    return buffer;
  }

  void end() throws IOException {
    int end = buffer.position();
    buffer.putInt(HEADER_BYTES - Integer.BYTES, end - HEADER_BYTES);
    buffer.flip();
    crc.reset();
    crc.update(buffer);
    buffer.limit(end + CRC_BYTES).position(end);
    buffer.putInt((int) crc.getValue());
    crcOfCrcs.update(buffer.slice(end, CRC_BYTES));
    flush();
  }

  /** Writes the end mark: the number of blocks and bytes, and a checksum of all checksums. */
  void endOfFile() throws IOException {
    begin(Frame.END);
    long size = written + HEADER_BYTES + 2 * Long.BYTES + Integer.BYTES + CRC_BYTES;
    buffer.putLong(index).putLong(size).putInt((int) crcOfCrcs.getValue());
    end();
  }

  private void flush() throws IOException {
    buffer.flip();
    written += buffer.remaining();
    Blocking.write(buffer, to);
    buffer.clear();
  }
}
