package dev.unseen.server.durable;

import java.io.Closeable;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Reads the records of a segment, and skips what is damaged.
 *
 * <pre>
 * at each offset:
 *   a record whose bytes are all there and match their checksum: hand it over, continue after it
 *   otherwise search, byte by byte, for the next offset of such a record
 *     found:      the bytes before it are damaged
 *     not found:  the file ends inside a record (torn), or the rest is damaged
 * </pre>
 *
 * <p>Bodies are mostly hashes, so other bytes pass for a record at one offset in 2^50.
 */
final class SegmentReader implements Closeable {
  private static final int BUFFER_BYTES = 256 << 10; // many of the largest records

  /**
   * What was found in a segment.
   *
   * @param header null if it is damaged, or cut off
   * @param records the number of intact records
   * @param damagedPlaces the number of damaged places, the header included
   * @param damagedBytes the bytes in these places
   * @param tornBytes the bytes of the record, or header, in which the file ends
   * @param damagedAt the offset of the first damaged place
   */
  record Found(
      SegmentHeader header,
      long records,
      int damagedPlaces,
      long damagedBytes,
      long tornBytes,
      long damagedAt) {
    boolean isDamaged() {
      return damagedPlaces > 0;
    }
  }

  /** Receives the records. */
  interface Receiver {
    void record(ByteBuffer body) throws IOException;
  }

  private final FileChannel channel;
  private final long size;
  private final ByteBuffer buffer;
  private long bufferedFrom; // the offset of the first byte in the buffer
  private int damagedPlaces;
  private long damagedBytes;
  private long damagedAt = -1;

  private SegmentReader(FileChannel channel) throws IOException {
    this.channel = channel;
    this.size = channel.size();
    this.buffer = ByteBuffer.allocate((int) Math.min(size, BUFFER_BYTES)).limit(0);
  }

  /**
   * Reads a segment to its end.
   *
   * @throws DirectoryException if it has a format that this version does not know
   */
  static Found read(Path segment, Receiver receiver) throws IOException {
    try (SegmentReader reader =
        new SegmentReader(FileChannel.open(segment, StandardOpenOption.READ))) {
      return reader.size < SegmentHeader.BYTES
          ? new Found(null, 0, 0, 0, reader.size, -1)
          : reader.read(reader.header(segment), receiver);
    }
  }

  private SegmentHeader header(Path segment) throws IOException {
    try {
      return SegmentHeader.parse(bytes(0, SegmentHeader.BYTES));
    } catch (IllegalArgumentException e) {
      throw new DirectoryException(
          DirectoryException.Reason.UNKNOWN_FORMAT,
          "%s cannot be read: %s".formatted(segment, e.getMessage()),
          e);
    }
  }

  private Found read(SegmentHeader header, Receiver receiver) throws IOException {
    if (header == null) {
      damaged(0, SegmentHeader.BYTES);
    }
    long records = 0;
    long at = SegmentHeader.BYTES;
    while (at < size) {
      ByteBuffer body = recordAt(at);
      if (body == null) {
        long next = nextRecord(at + 1);
        if (next == size && isTorn(at)) {
          break;
        }
        damaged(at, next - at);
        at = next;
      } else {
        at += LogRecord.HEADER_BYTES + body.remaining();
        records++;
        hand(body, receiver);
      }
    }
    return new Found(header, records, damagedPlaces, damagedBytes, size - at, damagedAt);
  }

  private void damaged(long at, long bytes) {
    damagedAt = damagedPlaces == 0 ? at : damagedAt;
    damagedPlaces++;
    damagedBytes += bytes;
  }

  private static void hand(ByteBuffer body, Receiver receiver) throws IOException {
    try {
      receiver.record(body);
    } catch (BufferUnderflowException e) {
      throw new IOException("the journal has a record that is too short for its contents", e);
    }
  }

  /** Returns the body of the record at an offset, or null if no intact record is there. */
  private ByteBuffer recordAt(long at) throws IOException {
    if (size - at <= LogRecord.HEADER_BYTES) {
      return null;
    }
    int length = bytes(at, Integer.BYTES).getInt();
    if (!isLength(length) || length > size - at - LogRecord.HEADER_BYTES) {
      return null;
    }
    ByteBuffer record = bytes(at, LogRecord.HEADER_BYTES + length);
    int sum = record.getInt(Integer.BYTES);
    ByteBuffer body = record.slice(LogRecord.HEADER_BYTES, length).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C crc = new CRC32C();
    crc.update(body.duplicate());
    return (int) crc.getValue() == sum ? body : null;
  }

  private static boolean isLength(int length) {
    return length >= 1 && length <= LogRecord.MAX_BYTES;
  }

  /** Returns the offset of the next intact record of a known type, or the size of the file. */
  private long nextRecord(long from) throws IOException {
    for (long at = from; at < size - LogRecord.HEADER_BYTES; at++) {
      byte type = bytes(at, LogRecord.HEADER_BYTES + 1).get(LogRecord.HEADER_BYTES);
      if (type >= LogRecord.ADMITTED && type <= LogRecord.LAST_TYPE && recordAt(at) != null) {
        return at;
      }
    }
    return size;
  }

  /**
   * Returns whether a crash explains the bytes from this offset on, after which no record follows:
   * the file ends inside a record, or was extended with zeros that were never overwritten.
   */
  private boolean isTorn(long at) throws IOException {
    if (size - at < Integer.BYTES) {
      return true;
    }
    int length = bytes(at, Integer.BYTES).getInt();
    return (isLength(length) && length > size - at - LogRecord.HEADER_BYTES) || isZero(at);
  }

  private boolean isZero(long from) throws IOException {
    for (long at = from; at < size; at++) {
      if (bytes(at, 1).get() != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns bytes of the file, which must exist and fit into the buffer. */
  private ByteBuffer bytes(long at, int count) throws IOException {
    if (at < bufferedFrom || at + count > bufferedFrom + buffer.limit()) {
      buffer.clear();
      bufferedFrom = at;
      while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) >= 0) {
        // continue
      }
      buffer.flip();
    }
    return buffer.slice((int) (at - bufferedFrom), count).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
