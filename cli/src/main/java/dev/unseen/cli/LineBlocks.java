package dev.unseen.cli;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Cuts an input into lines, a block of them at a time, without an object per line: the lines of a
 * block lie side by side in {@link #buffer}, and line {@code i} is {@code start(i)..end(i)}.
 *
 * <p>Only {@code \n} ends a line, and is no part of it. All other bytes are just bytes. A last line
 * without {@code \n} is a line too; see {@link #isTerminated}.
 *
 * <p>A block holds lines of one read only: a line that has arrived never waits here for others. The
 * bytes of a line that has not ended yet move to the front of the buffer, which grows only for
 * lines that are longer.
 */
final class LineBlocks {
  /** The most bytes of a line: 64 MiB. */
  static final int MAX_LINE_BYTES = 64 << 20;

  /** The most lines of a block. */
  static final int MAX_LINES = 4096;

  /** The most bytes of a read: few enough to stay in a core's second-level cache. */
  private static final int READ_BYTES = 256 << 10;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long NEWLINES = 0x0A0A0A0A0A0A0A0AL;

  private final Input input;
  private final int readBytes;
  private final int maxLineBytes;

  private byte[] buffer;
  private int start; // of the first line that no block has had yet
  private int scanned; // up to here newlines were looked for
  private int filled; // up to here there are bytes
  private boolean ended;

  private final int[] ends = new int[MAX_LINES];
  private int count;
  private int blockStart;
  private long linesBefore; // the lines of the blocks before this one

  LineBlocks(Input input) {
    this(input, READ_BYTES, MAX_LINE_BYTES);
  }

  LineBlocks(Input input, int readBytes, int maxLineBytes) {
    this.input = input;
    this.readBytes = readBytes;
    this.maxLineBytes = maxLineBytes;
    this.buffer = new byte[Math.min(readBytes, maxLineBytes + 1)];
  }

  /** Goes on to the next block, which has at least one line; false at the end. */
  boolean next() throws Failure {
    linesBefore += count;
    count = 0;
    blockStart = start;
    while (true) {
      scan();
      if (count > 0) {
        start = ends[count - 1] + 1;
        return true;
      }
      if (ended) {
        return takeUnterminated();
      }
      fill();
    }
  }

  private boolean takeUnterminated() {
    if (start == filled) {
      return false;
    }
    ends[count++] = filled;
    start = filled;
    return true;
  }

  /** Notes the newlines between {@link #scanned} and {@link #filled}, eight bytes at a time. */
  private void scan() {
    byte[] bytes = buffer;
    int[] found = ends;
    int n = 0;
    int at = scanned;
    int lastWord = filled - Long.BYTES;
    int room = found.length - Long.BYTES; // a word may hold eight newlines
    while (at <= lastWord && n <= room) {
      long hits = newlinesIn((long) LONG.get(bytes, at));
      while (hits != 0) {
        found[n++] = at + (Long.numberOfTrailingZeros(hits) >>> 3);
        hits &= hits - 1;
      }
      at += Long.BYTES;
    }
    if (at > lastWord && n <= room) {
      for (; at < filled; at++) {
        if (bytes[at] == '\n') {
          found[n++] = at;
        }
      }
    }
    scanned = at;
    count = n;
  }

  /** The highest bit of each byte that is a newline; no carry runs from one byte into the next. */
  private static long newlinesIn(long word) {
    long x = word ^ NEWLINES;
    return ~(((x & LOW_BITS) + LOW_BITS) | x | LOW_BITS);
  }

  private void fill() throws Failure {
    int kept = filled - start;
    if (kept > maxLineBytes) {
      throw tooLong();
    }
    byte[] from = buffer;
    if (kept > buffer.length / 2) {
      int larger = (int) Math.min(2L * buffer.length, maxLineBytes + 1L); // one for the newline
      if (larger > buffer.length) {
        buffer = new byte[larger];
      }
    }
    if (start > 0 || buffer != from) {
      System.arraycopy(from, start, buffer, 0, kept);
    }
    scanned -= start;
    start = 0;
    blockStart = 0;
    filled = kept;
    int read = input.read(buffer, filled, Math.min(readBytes, buffer.length - filled));
    ended = read < 0;
    filled += Math.max(read, 0);
  }

  private Failure tooLong() {
    return Failure.inputOrOutput(
        "%s, line %,d: longer than %,d bytes, the most a line may have"
            .formatted(input.name(), linesBefore + 1, maxLineBytes),
        null);
  }

  /** Where the lines are; valid until {@link #next}. */
  byte[] buffer() {
    return buffer;
  }

  /** The lines of this block. */
  int count() {
    return count;
  }

  /** Where a line of this block begins. */
  int start(int line) {
    return line == 0 ? blockStart : ends[line - 1] + 1;
  }

  /** Where it ends, its newline not counted. */
  int end(int line) {
    return ends[line];
  }

  /** Whether a newline follows; only the last line of an input may lack it. */
  boolean isTerminated(int line) {
    return ends[line] < filled;
  }
}
