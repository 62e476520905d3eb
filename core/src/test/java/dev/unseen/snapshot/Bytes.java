package dev.unseen.snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.zip.CRC32C;

/** States as arrays of bytes, for tests. */
final class Bytes {
  private static final int BLOCK_HEADER = BlockWriter.HEADER_BYTES;
  private static final int CHECKSUM = BlockWriter.CRC_BYTES;

  private Bytes() {}

  static byte[] of(Snapshot snapshot) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      SnapshotFormat.write(snapshot, Channels.newChannel(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Snapshot read(byte[] bytes) throws IOException {
    return SnapshotFormat.read(
        Channels.newChannel(new ByteArrayInputStream(bytes)), bytes.length, "test.uns");
  }

  /** Goes from block to block, as far as their lengths make sense, and puts all sums right. */
  static byte[] withRightChecksums(byte[] bytes) {
    byte[] right = bytes.clone();
    ByteBuffer buffer = ByteBuffer.wrap(right).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C crcOfCrcs = new CRC32C();
    int start = BlockWriter.FILE_HEADER_BYTES;
    for (int index = 0; start + BLOCK_HEADER + CHECKSUM <= right.length; index++) {
      int length = buffer.getInt(start + 8);
      int end = start + BLOCK_HEADER + length;
      if (length < 0 || end < 0 || end > right.length - CHECKSUM) {
        break;
      }
      if (buffer.getInt(start) == Frame.END.id && length == 2 * Long.BYTES + Integer.BYTES) {
        buffer.putLong(start + BLOCK_HEADER, index + 1);
        buffer.putLong(start + BLOCK_HEADER + Long.BYTES, end + CHECKSUM);
        buffer.putInt(start + BLOCK_HEADER + 2 * Long.BYTES, (int) crcOfCrcs.getValue());
      }
      CRC32C crc = new CRC32C();
      crc.update(right, start, BLOCK_HEADER + length);
      buffer.putInt(end, (int) crc.getValue());
      crcOfCrcs.update(right, end, CHECKSUM);
      start = end + CHECKSUM;
    }
    return right;
  }
}
