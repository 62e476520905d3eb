package dev.unseen.cli;

import dev.unseen.hash.Hash64;
import dev.unseen.io.EventTime;
import dev.unseen.io.InputException;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSink;
import java.util.Arrays;
import java.util.List;

/**
 * Records side by side in one array of bytes, with the hashes of their keys: what the reading
 * thread hands to the deciding one, and gets back empty. No object is made for a record.
 *
 * <p>Piece {@code i} is {@code start(i)..end(i)}, its line end included. Most pieces are records
 * with a key; the few that are none are listed apart, each with what is to become of it.
 */
final class Batch implements RecordSink {
  /** What becomes of a piece that is not a record with a key. */
  enum Odd {
    /** A header: for every output. */
    HEADER,
    /** Of no record, but for every output, as the mark before UTF-8. */
    MARK,
    /** A record that is let through without asking. */
    PASSED,
    /** A record that is left out. */
    SKIPPED,
    /** No record, and for no output: an empty line, or a header that is there already. */
    NOTHING
  }

  private static final int FIRST_PIECES = 8192;

  private final Hash64 hash;
  private final Verdicts verdicts = new Verdicts();
  byte[] bytes;
  private int first; // where the first piece begins
  private int[] ends = new int[FIRST_PIECES];
  private long[] hashes = new long[FIRST_PIECES];
  private long[] times; // null: records have none
  private int count;
  private int keyed;
  private int[] oddAt = new int[16];
  private Odd[] oddWhat = new Odd[16];
  private int odds;

  private Origin origin;
  private boolean terminated;
  private long position;

  /** What a batch asks of the file that its records are from. */
  interface Origin {
    /** Its name, for messages. */
    String name();

    /** Its format. */
    RecordFormat format();

    /** Whether it is the first file that has a header. */
    boolean takesHeader(List<String> columns) throws InputException;

    /** How many pieces of it came in earlier batches. */
    long records();

    /** Whether it is the first file. */
    boolean isFirst();

    /** What becomes of a record that has no key. */
    Odd withoutKey(long line, long column, String reason) throws InputException;
  }

  /**
   * An empty one.
   *
   * @param timed whether the last part of a key is no part of it, but the record's time
   */
  Batch(Hash64 hash, int size, boolean timed) {
    this.hash = hash;
    this.bytes = new byte[size];
    this.times = timed ? new long[FIRST_PIECES] : null;
  }

  /** Empties it, to take in records of a file from a place in the bytes on. */
  void begin(Origin from, int start) {
    origin = from;
    first = start;
    count = 0;
    keyed = 0;
    odds = 0;
    terminated = true;
  }

  /** All is in: whether the last record has its line end, and how much was read for it. */
  void finish(boolean lastIsTerminated, long readBytes) {
    terminated = lastIsTerminated;
    position = readBytes;
  }

  @Override
  public void record(int end, byte[] key, int from, int to) throws InputException {
    if (count == ends.length) {
      grow();
    }
    if (times != null) {
      timedRecord(end, key, from, to);
      return;
    }
    ends[count++] = end;
    hashes[keyed++] = hash.hash(key, from, to - from);
  }

  @Override
  public void lines(byte[] lines, int start, int[] lineEnds, int lineCount) throws InputException {
    if (times != null) {
      RecordSink.super.lines(lines, start, lineEnds, lineCount);
      return;
    }
    while (ends.length - count < lineCount) {
      grow();
    }
    System.arraycopy(lineEnds, 0, ends, count, lineCount);
    hashLines(lines, start, lineCount);
    count += lineCount;
    keyed += lineCount;
  }

  private void hashLines(byte[] lines, int start, int lineCount) {
    int from = start;
    for (int i = 0; i < lineCount; i++) {
      int end = ends[count + i];
      hashes[keyed + i] = hash.hash(lines, from, end - 1 - from);
      from = end;
    }
  }

  /** A composite, each part with its length before it. A key of one part is that part alone. */
  private void timedRecord(int end, byte[] key, int from, int to) throws InputException {
    int last = from;
    int parts = 0;
    for (int next = from; next < to; next += Integer.BYTES + length(key, next)) {
      last = next;
      parts++;
    }
    try {
      times[keyed] = EventTime.millis(key, last + Integer.BYTES, to);
    } catch (IllegalArgumentException e) {
      odd(end, origin.withoutKey(origin.records() + count + 1, 1, e.getMessage()));
      return;
    }
    int start = parts == 2 ? from + Integer.BYTES : from;
    ends[count++] = end;
    hashes[keyed++] = hash.hash(key, start, last - start);
  }

  private static int length(byte[] key, int at) {
    int length = 0;
    for (int i = at; i < at + Integer.BYTES; i++) {
      length = (length << Byte.SIZE) | (key[i] & 0xFF);
    }
    return length;
  }

  private void grow() {
    int size = 2 * ends.length;
    ends = Arrays.copyOf(ends, size);
    hashes = Arrays.copyOf(hashes, size);
    times = times == null ? null : Arrays.copyOf(times, size);
  }

  @Override
  public void header(int end, List<String> columns) throws InputException {
    odd(end, origin.takesHeader(columns) ? Odd.HEADER : Odd.NOTHING);
  }

  @Override
  public void mark(int end) {
    odd(end, origin.isFirst() ? Odd.MARK : Odd.NOTHING);
  }

  @Override
  public void blank(int end) {
    odd(end, Odd.NOTHING);
  }

  @Override
  public void bad(int end, long line, long column, String reason) throws InputException {
    odd(end, origin.withoutKey(line, column, reason));
  }

  private void odd(int end, Odd what) {
    if (count == ends.length) {
      grow();
    }
    if (odds == oddAt.length) {
      oddAt = Arrays.copyOf(oddAt, 2 * odds);
      oddWhat = Arrays.copyOf(oddWhat, 2 * odds);
    }
    oddAt[odds] = count;
    oddWhat[odds++] = what;
    ends[count++] = end;
  }

  Origin origin() {
    return origin;
  }

  /** What becomes of the pieces, once it is decided. */
  Verdicts verdicts() {
    return verdicts;
  }

  /** The pieces. */
  int count() {
    return count;
  }

  /** The records with a key. */
  int keyed() {
    return keyed;
  }

  /** Their hashes, in order. */
  long[] hashes() {
    return hashes;
  }

  /** Their times, in order; null if they have none. */
  long[] times() {
    return times;
  }

  /** The pieces that are not records with a key. */
  int odds() {
    return odds;
  }

  /** Which piece the odd one is. */
  int oddAt(int odd) {
    return oddAt[odd];
  }

  /** What becomes of the odd one. */
  Odd oddWhat(int odd) {
    return oddWhat[odd];
  }

  /** Whether a piece is a mark before all records. */
  boolean isMark(int piece) {
    for (int odd = 0; odd < odds; odd++) {
      if (oddAt[odd] == piece) {
        return oddWhat[odd] == Odd.MARK;
      }
    }
    return false;
  }

  /** Where a piece begins. */
  int start(int piece) {
    return piece == 0 ? first : ends[piece - 1];
  }

  /** Behind its line end. */
  int end(int piece) {
    return ends[piece];
  }

  /** Whether a piece has its line end; only the last of a file may lack it. */
  boolean isTerminated(int piece) {
    return terminated || piece < count - 1;
  }

  /** The bytes of all pieces. */
  long byteCount() {
    return count == 0 ? 0 : ends[count - 1] - first;
  }

  /** How much of all files, as they are on disk, was read when this was handed over. */
  long position() {
    return position;
  }
}
