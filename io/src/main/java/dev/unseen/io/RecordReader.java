package dev.unseen.io;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Fills blocks with the records of a source. A block contains the records of one read, so a record
 * that has arrived never waits for others.
 *
 * <p>{@link #fill} does all of it in one thread. With several threads the work has three steps:
 *
 * <ol>
 *   <li>{@link #read} brings bytes into a block, up to a line end. One thread at a time.
 *   <li>{@link #cutAhead} cuts a block into records, on the guess that a record begins where the
 *       block does. Any thread, for any block, in any order; it may be left out.
 *   <li>{@link #settle} makes sure of the guess, or cuts the block again. One thread at a time, in
 *       the order of the reads.
 * </ol>
 *
 * <p>The result is the same for any number of threads. The guess is wrong only where a quoted
 * column of a table has a line end in it.
 *
 * <p>A record that is longer than the limit is passed on as bad, up to the next line end. It is
 * never in memory as a whole. If a quote may be the reason, only the line of the quote is bad, and
 * the next line is a record again.
 */
public final class RecordReader {
  /** The default for the largest number of bytes of a record: 64 MiB. */
  public static final int MAX_RECORD_BYTES = 64 << 20;

  /** The largest number of bytes of a read: few enough to stay in a core's second-level cache. */
  public static final int READ_BYTES = 256 << 10;

  /** A block this many times larger than a read has grown for a long record. */
  private static final int MANY_READS = 8;

  private final Source source;
  private final byte lineEnd;
  private final boolean splits; // at line ends
  private final int readBytes;
  private final int maxRecordBytes;

  // Of the thread that reads.
  private final byte[] tail; // what was read after the last line end
  private int tailLength;
  private boolean ended;

  // Of the thread that settles.
  private final RecordCutter cutter;
  private byte[] carry = {}; // the bytes of a record that has not ended with its block
  private int carried;
  private boolean leavingOut; // the rest of a record that is too long

  // Of all threads.
  private volatile @Nullable RecordCutter
      pattern; // of cutters that cut ahead; null until it is known
  private final Deque<RecordCutter> ahead = new ArrayDeque<>(); // not in use now
  private byte[] spare = {}; // a large array that no block needs, kept for the next long record

  /** Reads a source whose records end, if anywhere, with the line end of the spec. */
  public RecordReader(Source source, RecordCutter cutter, RecordSpec spec, int maxRecordBytes) {
    this(source, cutter, spec.lineEnd(), READ_BYTES, maxRecordBytes);
  }

  RecordReader(
      Source source, RecordCutter cutter, byte lineEnd, int readBytes, int maxRecordBytes) {
    this.source = source;
    this.cutter = cutter;
    this.lineEnd = lineEnd;
    this.splits = cutter.splitsAtLineEnds();
    this.readBytes = Math.min(readBytes, maxRecordBytes + 1); // one for its line end
    this.maxRecordBytes = maxRecordBytes;
    this.tail = new byte[splits ? this.readBytes : 0];
  }

  /**
   * Fills a block with at least one piece; false at the end, with nothing in it.
   *
   * <p>If it fails, the block holds what came before.
   */
  public boolean fill(Block block) throws InputException {
    block.begin();
    while (read(block)) {
      settle(block);
      if (block.count() > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Brings the bytes of one read into a block; false if the source has ended.
   *
   * <p>If it fails, the block is empty.
   */
  public boolean read(Block block) throws InputException {
    if (ended) {
      return false;
    }
    block.bytes(fit(block.bytes()));
    byte[] bytes = block.bytes();
    System.arraycopy(tail, 0, bytes, 0, tailLength);
    int read = source.read(bytes, tailLength, readBytes - tailLength);
    ended = read < 0;
    int length = tailLength + Math.max(read, 0);
    int end = splits && !ended ? afterLastLineEnd(bytes, tailLength, length) : 0;
    if (end > 0) {
      tailLength = length - end;
      System.arraycopy(bytes, end, tail, 0, tailLength);
      block.bring(end, true, false);
    } else {
      tailLength = 0;
      block.bring(length, false, ended);
    }
    return true;
  }

  /** Returns the place after the last line end; 0 if there is none. */
  private int afterLastLineEnd(byte[] bytes, int from, int to) {
    int at = to;
    while (at > from && bytes[at - 1] != lineEnd) {
      at--;
    }
    return at > from ? at : 0;
  }

  /** Returns an array for a read: this one, unless it is too small or has grown. */
  private synchronized byte[] fit(byte[] bytes) {
    if (bytes.length >= readBytes && bytes.length <= MANY_READS * readBytes) {
      return bytes;
    }
    if (bytes.length > spare.length) {
      spare = bytes;
    }
    return new byte[readBytes];
  }

  /** Cuts a block that was read, if it can be done before those that were read before it. */
  public void cutAhead(Block block) {
    RecordCutter fork = block.endsWithLine ? takeFork() : null;
    if (fork == null) {
      return;
    }
    long line = fork.line();
    block.begin();
    try {
      if (fork.cut(block.bytes(), 0, block.length, false, block) == block.length) {
        block.linesAhead = fork.line() - line;
        giveBack(fork);
      }
    } catch (InputException e) {
      // It will be reported when the block is settled, with the right line, if it is true.
    }
  }

  private synchronized @Nullable RecordCutter takeFork() {
    RecordCutter taken = ahead.poll();
    RecordCutter known = pattern;
    return taken != null || known == null ? taken : known.fork();
  }

  private synchronized void giveBack(RecordCutter fork) {
    ahead.push(fork);
  }

  /**
   * Fills a block with the records of its bytes. It has none if no record ends there.
   *
   * <p>If it fails, the block holds what came before.
   */
  public void settle(Block block) throws InputException {
    if (carried == 0 && !leavingOut && block.linesAhead != Block.NOT_AHEAD) {
      cutter.leaveOut(block.linesAhead);
      block.finish(true);
      return;
    }
    block.begin();
    int length = takeCarried(block);
    boolean whole = false;
    try {
      keepRest(block, cut(block, length), length);
      whole = true;
    } finally {
      // The last record may end with the file, without a terminator.
      block.finish(!whole || !block.isLast);
    }
    if (pattern == null && !block.isLast) {
      pattern = cutter.fork();
    }
  }

  /** Cuts no more than the longest record at once; returns where the rest begins. */
  private int cut(Block block, int length) throws InputException {
    int start = 0;
    int to;
    boolean resumed;
    do {
      resumed = false;
      if (leavingOut) {
        start = leaveOut(block, start, length);
      }
      to = (int) Math.min(length, start + maxRecordBytes + 1L);
      if (!leavingOut) {
        start = cutter.cut(block.bytes(), start, to, block.isLast && to == length, block);
        if (to - start > maxRecordBytes) {
          int next = cutter.resume(start, maxRecordBytes, block);
          resumed = next != RecordCutter.NO_PLACE;
          if (!resumed) {
            tooLong(block, start, to);
            next = to;
          }
          start = next;
        }
      }
    } while (to < length || resumed);
    return start;
  }

  private void tooLong(Block block, int start, int to) throws InputException {
    leavingOut = true;
    long line = cutter.line();
    long lines = 0;
    for (int i = start; i < to; i++) {
      lines += block.bytes()[i] == lineEnd ? 1 : 0;
    }
    cutter.leaveOut(lines);
    block.bad(
        to,
        line,
        1,
        String.format(
            Locale.ROOT,
            "the record is longer than %,d bytes; raise max-record to allow it",
            maxRecordBytes));
  }

  /** Reports the bytes up to the next line end, or all of them; returns where they end. */
  private int leaveOut(Block block, int start, int length) {
    int at = start;
    while (at < length && block.bytes()[at] != lineEnd) {
      at++;
    }
    if (at < length) {
      at++;
      leavingOut = false;
      cutter.leaveOut(1);
    }
    if (at > start) {
      block.more(at);
    }
    return at;
  }

  /** Puts the bytes of the record that has not ended before those of the block. */
  private int takeCarried(Block block) {
    int length = carried + block.length;
    if (carried > 0) {
      byte[] brought = block.bytes();
      reserve(length);
      System.arraycopy(brought, 0, carry, carried, block.length);
      block.bytes(carry);
      carry = brought;
      carried = 0;
    }
    return length;
  }

  /** Keeps the bytes of the record that has not ended. */
  private void keepRest(Block block, int start, int length) {
    int rest = length - start;
    if (block.count() == 0) { // none has: the arrays change places, so that no byte is moved
      byte[] bytes = block.bytes();
      block.bytes(carry);
      carry = bytes;
    } else {
      reserve(rest);
      System.arraycopy(block.bytes(), start, carry, 0, rest);
    }
    carried = rest;
  }

  /** Makes room, twice as much each time, so that each byte is moved a few times at most. */
  @SuppressWarnings("ReferenceEquality") // whether it is the spare buffer itself
  private synchronized void reserve(int length) {
    if (length <= carry.length) {
      return;
    }
    long most = maxRecordBytes + 1L + readBytes;
    byte[] larger = spare.length >= length ? spare : new byte[(int) Math.min(2L * length, most)];
    System.arraycopy(carry, 0, larger, 0, carried);
    spare = larger == spare ? new byte[0] : spare;
    carry = larger;
  }
}
