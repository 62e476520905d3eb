package dev.unseen.cli.dedup;

import dev.unseen.io.Compression;
import dev.unseen.io.InputException;
import dev.unseen.io.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What a file contains before a run appends to it.
 *
 * @param path of the file; null if there was no record in it
 * @param lastByte of its text, after decompression
 */
record OlderContent(Path path, byte lastByte) {
  /** A new file, an empty one, or something that is not a file. */
  static final OlderContent NONE = new OlderContent(null, (byte) 0);

  private static final int BUFFER_BYTES = 1 << 16;

  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  /**
   * Looks into a file. A compressed one is read to its end, because a part must be complete before
   * another part can follow it.
   *
   * @throws InputException if its compressed data is damaged or cut off
   * @throws IOException if nothing can be appended to it, or if it cannot be read
   */
  static OlderContent of(Path path) throws IOException {
    if (!Files.isRegularFile(path) || Files.size(path) == 0) {
      return NONE;
    }
    if (!Files.isReadable(path)) {
      throw new IOException("Permission denied: what it contains must be readable to append to it");
    }
    try (Source source = Source.open(path.toString())) {
      return of(path, source);
    } catch (InputException e) {
      throw isPacked(path) ? e : new IOException(e.getMessage(), e);
    }
  }

  private static OlderContent of(Path path, Source source) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    int count = source.read(buffer, 0, buffer.length);
    if (!source.isPackedAsNamed()) {
      throw new IOException(
          "the file is not compressed in the way that its name says, so nothing can be appended; move it away, or name another file");
    }
    if (!isPacked(path)) {
      return new OlderContent(path, lastByteOf(path));
    }
    byte last = 0;
    boolean empty = true;
    while (count >= 0) {
      if (count > 0) {
        last = buffer[count - 1];
        empty = false;
      }
      count = source.read(buffer, 0, buffer.length);
    }
    return empty ? NONE : new OlderContent(path, last);
  }

  private static boolean isPacked(Path path) {
    return Compression.named(path.toString()) != Compression.NONE;
  }

  private static byte lastByteOf(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, file.size() - 1);
      return one.get(0);
    }
  }

  boolean isEmpty() {
    return path == null;
  }

  /** Returns whether the file, without a byte order mark, begins with this line. */
  boolean beginsWith(byte[] bytes, int from, int to) throws IOException {
    byte[] line = withoutLineEnd(bytes, from, to);
    byte[] start = new byte[MARK.length + line.length + 1];
    int length = 0;
    try (Source source = Source.open(path.toString())) {
      int count;
      do {
        count = source.read(start, length, start.length - length);
        length += Math.max(count, 0);
      } while (count >= 0 && length < start.length);
    }
    int mark = Arrays.equals(Arrays.copyOf(start, MARK.length), MARK) ? MARK.length : 0;
    int end = mark + line.length;
    return length >= end
        && Arrays.equals(start, mark, end, line, 0, line.length)
        && (length == end || start[end] == '\r' || start[end] == '\n');
  }

  private static byte[] withoutLineEnd(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r')) {
      end--;
    }
    return Arrays.copyOfRange(bytes, from, end);
  }
}
