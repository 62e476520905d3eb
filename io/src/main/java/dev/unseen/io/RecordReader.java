package dev.unseen.io;

import java.util.Locale;

/**
 * Fills blocks with the records of a source. A block contains the records of one read, so a record
 * that has arrived never waits for others. The bytes of an incomplete record move to the front of
 * the next block, which grows only for longer records.
 *
 * <p>A record that is longer than the limit is passed on as bad, one read at a time, up to the next
 * line end. It is never in memory as a whole.
 */
public final class RecordReader {
  /** The default for the largest number of bytes of a record: 64 MiB. */
  public static final int MAX_RECORD_BYTES = 64 << 20;

  /** The largest number of bytes of a read: few enough to stay in a core's second-level cache. */
  public static final int READ_BYTES = 256 << 10;

  /** A block this many times larger than it need be is made smaller. */
  private static final int MANY_READS = 8;

  private final Source source;
  private final RecordCutter cutter;
  private final byte lineEnd;
  private final int readBytes;
  private final int maxRecordBytes;

  private byte[] rest = {}; // holds the bytes of the record that has not ended
  private int restStart;
  private int restEnd;
  private byte[] spare = {}; // a large array that no block needs, kept for the next long record
  private boolean leavingOut; // the rest of a record that is too long
  private boolean ended;

  /** Creates a reader of a source, whose records end with the line end of the spec. */
  public RecordReader(Source source, RecordCutter cutter, RecordSpec spec, int maxRecordBytes) {
    this(source, cutter, spec.lineEnd(), READ_BYTES, maxRecordBytes);
  }

  RecordReader(
      Source source, RecordCutter cutter, byte lineEnd, int readBytes, int maxRecordBytes) {
    this.source = source;
    this.cutter = cutter;
    this.lineEnd = lineEnd;
    this.readBytes = readBytes;
    this.maxRecordBytes = maxRecordBytes;
  }

  /**
   * Fills a block with at least one piece. Returns false at the end, and then the block is empty.
   *
   * <p>If it fails, the block contains the records before the failure. The rest stays in that block
   * until the next call: other threads may read the block until then, but nobody may fill it.
   */
  public boolean fill(Block block) throws InputException {
    block.begin();
    while (!ended) {
      takeRest(block);
      int room = Math.min(block.bytes().length, maxRecordBytes + 1) - restEnd;
      int read = source.read(block.bytes(), restEnd, Math.min(readBytes, room));
      ended = read < 0;
      restEnd += Math.max(read, 0);
      boolean whole = false;
      try {
        cut(block);
        whole = true;
      } finally {
        if (!whole) {
          block.finish(true);
        }
      }
      if (block.count() > 0) {
        block.finish(!ended); // what ends with the file has no end of its own
        return true;
      }
    }
    return false;
  }

  private void cut(Block block) throws InputException {
    if (leavingOut) {
      leaveOut(block);
    }
    if (!leavingOut) {
      restStart = cutter.cut(block.bytes(), restStart, restEnd, ended, block);
      if (restEnd - restStart > maxRecordBytes) {
        tooLong(block);
      }
    }
  }

  private void tooLong(Block block) throws InputException {
    leavingOut = true;
    long line = cutter.line();
    long lines = 0;
    for (int i = restStart; i < restEnd; i++) {
      lines += block.bytes()[i] == lineEnd ? 1 : 0;
    }
    cutter.leaveOut(lines);
    restStart = restEnd;
    block.bad(
        restEnd,
        line,
        1,
        String.format(
            Locale.ROOT,
            "the record is longer than %,d bytes; allow more with --max-record",
            maxRecordBytes));
  }

  /** Tells of the bytes up to the next line end, or of all there are. */
  private void leaveOut(Block block) {
    int at = restStart;
    while (at < restEnd && block.bytes()[at] != lineEnd) {
      at++;
    }
    if (at < restEnd) {
      at++;
      leavingOut = false;
      cutter.leaveOut(1);
    }
    if (at > restStart) {
      block.more(at);
    }
    restStart = at;
  }

  /** Moves what is left over to the front of the block, and sees that there is room behind it. */
  private void takeRest(Block block) {
    int kept = restEnd - restStart;
    int wanted = Math.min(Math.max(readBytes, 2 * kept), maxRecordBytes + 1); // one for its end
    byte[] before = block.bytes();
    if (before.length < wanted) { // twice as large, so that each byte is moved a few times at most
      block.bytes(takeSpare(Math.min(Math.max(wanted, 2 * before.length), maxRecordBytes + 1)));
    } else if (before.length > MANY_READS * wanted) {
      block.bytes(new byte[wanted]);
    }
    byte[] now = block.bytes();
    if (rest != now || restStart > 0) {
      System.arraycopy(rest, restStart, now, 0, kept);
    }
    if (before != now && before.length > spare.length) {
      spare = before;
    }
    rest = now;
    restStart = 0;
    restEnd = kept;
  }

  private byte[] takeSpare(int wanted) {
    byte[] taken = spare.length >= wanted ? spare : new byte[wanted];
    if (taken == spare) {
      spare = new byte[0];
    }
    return taken;
  }
}
