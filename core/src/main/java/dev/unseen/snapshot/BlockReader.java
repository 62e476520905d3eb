package dev.unseen.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads a file block by block, and uses a block only if its checksum is right. */
final class BlockReader {
  /** Stands for a size that is not known before the end. */
  static final long UNKNOWN_SIZE = Long.MAX_VALUE;

  private static final String REMEDY =
      "restore the file from a copy, or move it away to start with an empty filter";

  private final ReadableByteChannel from;
  private final long size;
  private final String name;
  private final String remedy; // if the state is damaged
  private final ByteBuffer buffer;
  private final CRC32C crc = new CRC32C();
  private final CRC32C crcOfCrcs = new CRC32C();
  private String block = "the beginning";
  private int index;
  private long read;

  BlockReader(ReadableByteChannel from, long size, String name) throws IOException {
    this(from, size, name, REMEDY, newBuffer(from, size));
  }

  BlockReader(ReadableByteChannel from, long size, String name, String remedy, ByteBuffer buffer)
      throws IOException {
    this.from = from;
    this.size = size;
    this.name = name;
    this.remedy = remedy;
    this.buffer = buffer;
    if (size == 0) {
      throw new SnapshotException(
          "%s: the file is empty, so it is not a state of unseen; move it away to start with an empty filter"
              .formatted(name));
    }
    if (!fill(0, BlockWriter.FILE_HEADER_BYTES) || buffer.getLong(0) != SnapshotFormat.MAGIC) {
      throw new SnapshotException(
          "%s: this is not a state of unseen, or its first bytes are damaged; choose another file"
              .formatted(name));
    }
    int version = buffer.getInt(8);
    if (version != SnapshotFormat.VERSION || buffer.getInt(12) != 0) {
      throw new SnapshotException(
          "%s: this is a state of version %s, but this program reads only version %d; use the program that wrote it, or move the file away to start with an empty filter"
              .formatted(
                  name,
                  Integer.toUnsignedString(version)
                      + (buffer.getInt(12) == 0 ? "" : ", with unknown flags"),
                  SnapshotFormat.VERSION));
    }
  }

  private static ByteBuffer newBuffer(ReadableByteChannel from, long size) {
    int payload = (int) Math.min(BlockWriter.MAX_PAYLOAD, size); // a small file needs no more
    int bytes = BlockWriter.HEADER_BYTES + payload + BlockWriter.CRC_BYTES;
    // Memory outside the heap spares files a copy. A stream gains nothing by it, and engines that
    // read shards by the hundred have little of it.
    return (from instanceof FileChannel
            ? ByteBuffer.allocateDirect(bytes)
            : ByteBuffer.allocate(bytes))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads the next block, which must be of this kind. */
  void begin(Frame kind) throws IOException {
    block = String.format(Locale.ROOT, "block %d (%s, from byte %,d on)", index, kind.words, read);
    if (!fill(0, BlockWriter.HEADER_BYTES)) {
      throw cutShort();
    }
    int length = buffer.getInt(8);
    if (length < 0 || length > BlockWriter.MAX_PAYLOAD) {
      throw damaged(
          String.format(
              Locale.ROOT,
              "claims to have %,d bytes, but the limit is %,d",
              Integer.toUnsignedLong(length),
              BlockWriter.MAX_PAYLOAD));
    }
    if (length > size - read) {
      throw cutShort();
    }
    int foundKind = buffer.getInt(0);
    int foundIndex = buffer.getInt(4);
    int end = BlockWriter.HEADER_BYTES + length;
    if (!fill(BlockWriter.HEADER_BYTES, length + BlockWriter.CRC_BYTES)) {
      throw cutShort();
    }
    crc.reset();
    crc.update(buffer.limit(end).position(0));
    buffer.limit(end + BlockWriter.CRC_BYTES);
    int found = buffer.getInt(end);
    if (found != (int) crc.getValue()) {
      throw damaged(
          "has the checksum %08x, but the checksum of its bytes is %08x"
              .formatted(found, (int) crc.getValue()));
    }
    if (foundIndex != index) {
      throw damaged(
          "is missing: block %s is in its place".formatted(Integer.toUnsignedString(foundIndex)));
    }
    if (foundKind != kind.id) {
      throw damaged("is of the wrong kind, %s".formatted(kindOf(foundKind)));
    }
    if (kind != Frame.END) {
      crcOfCrcs.update(buffer.slice(end, BlockWriter.CRC_BYTES));
    }
    index++;
    buffer.limit(end).position(BlockWriter.HEADER_BYTES);
  }

  private static String kindOf(int id) {
    return Arrays.stream(Frame.values())
        .filter(frame -> frame.id == id)
        .map(frame -> frame.words)
        .findFirst()
        .orElse("number " + Integer.toUnsignedString(id));
  }

  ByteBuffer payload() {
    return buffer;
  }

  /** Rejects a state that claims more storage than there are bytes left. */
  void requireRoomFor(long storage) throws SnapshotException {
    if (storage > size - read) {
      throw damaged(
          String.format(
              Locale.ROOT,
              "needs %,d bytes of storage, but only %,d are left in the file: the file is cut short",
              storage,
              size - read));
    }
  }

  /** Reads the end mark, and rejects any bytes after it. */
  void endOfFile() throws IOException {
    endMark();
    if (fill(0, 1)) {
      throw damaged("is followed by more bytes");
    }
  }

  /** Reads the end mark and nothing more. */
  void endMark() throws IOException {
    begin(Frame.END);
    if (buffer.remaining() != 2 * Long.BYTES + Integer.BYTES) {
      throw damaged("has the wrong size, %d bytes".formatted(buffer.remaining()));
    }
    long blocks = buffer.getLong();
    long bytes = buffer.getLong();
    int sum = buffer.getInt();
    if (blocks != index || bytes != read) {
      throw damaged(
          String.format(
              Locale.ROOT,
              "says that there are %,d blocks and %,d bytes, but there are %,d and %,d",
              blocks,
              bytes,
              index,
              read));
    }
    if (sum != (int) crcOfCrcs.getValue()) {
      throw damaged("does not match the blocks before it: some of them belong to another state");
    }
  }

  /** Reads this number of bytes to a place in the buffer. Returns false if there are fewer. */
  private boolean fill(int at, int bytes) throws IOException {
    buffer.limit(at + bytes).position(at);
    boolean full = Blocking.read(from, buffer);
    read += buffer.position() - at;
    return full;
  }

  private SnapshotException cutShort() {
    return new SnapshotException(
        String.format(
            Locale.ROOT,
            "%s: the file is cut short: %s is incomplete, and the file ends at byte %,d; %s",
            name,
            block,
            size == UNKNOWN_SIZE ? read : size,
            remedy));
  }

  /** Creates an exception for a state that is undamaged but cannot be used by this process. */
  SnapshotException rejected(IllegalArgumentException why) {
    return new SnapshotException("%s: %s".formatted(name, why.getMessage()), why);
  }

  SnapshotException damaged(String how) {
    return damaged(how, null);
  }

  SnapshotException damaged(String how, @Nullable Throwable cause) {
    return new SnapshotException("%s: %s %s; %s".formatted(name, block, how, remedy), cause);
  }
}
