package dev.unseen.cli.dedup;

import dev.unseen.hash.Hash64;
import dev.unseen.io.Block;
import dev.unseen.io.InputException;
import dev.unseen.io.RecordReader;
import java.util.Arrays;
import java.util.List;

/**
 * Records side by side in one array of bytes, with the hashes of their keys: what goes from thread
 * to thread, and comes back empty. No object is made for a record.
 *
 * <p>Piece {@code i} is {@code start(i)..end(i)}, its line end included. Most pieces are records
 * with a key; the few that are none are listed apart, each with what is to become of it.
 */
final class Batch extends Block {
  /** What becomes of a piece that is not a record with a key. */
  enum Odd {
    /** A header: for every output. */
    HEADER,
    /** Of no record, but for every output, as the mark before UTF-8. */
    MARK,
    /** A record, or an empty line, that is let through without asking. */
    PASSED,
    /** More bytes of a record that is let through. */
    PASSED_MORE,
    /** A record that is left out. */
    SKIPPED,
    /** More bytes of a record that is left out. */
    SKIPPED_MORE,
    /** No record, and for no output: what stands between records, or a header that was there. */
    NOTHING
  }

  /** How far a batch is that may be cut ahead. */
  private enum Cutting {
    TO_DO,
    BEING_DONE,
    DONE
  }

  private static final int FIRST_PIECES = 8192;

  /** More pieces than one read can bring. */
  private static final int MOST_PIECES = 2 * RecordReader.READ_BYTES;

  private final Hash64 hash;
  private final Decisions decisions = new Decisions();
  private int[] ends = new int[FIRST_PIECES];
  private long[] hashes = new long[FIRST_PIECES];
  private long[] times; // null: records have none
  private int count;
  private int keyed;
  private int[] oddAt = new int[16];
  private Odd[] oddWhat = new Odd[16];
  private int odds;
  private int[] nullAt = {};
  private int nulls;

  private Cutting cutting = Cutting.DONE; // guarded by the pipeline
  private Origin origin;
  private RecordReader reader;
  private boolean hasLines = true;
  private boolean terminated;
  private long position;

  /** What a batch asks of the file that its records are from. */
  interface Origin {
    /** Its name, for messages. */
    String name();

    /** Whether it is the first file that has a header. */
    boolean takesHeader(List<String> columns) throws InputException;

    /** Whether it is the first file. */
    boolean isFirst();

    /** Whether each of its records ends with a line end. */
    boolean hasLines();

    /** The byte that ends a line. */
    byte lineEnd();

    /** What becomes of a record that cannot be used. */
    Odd unusable(long line, long column, String reason) throws InputException;

    /** Whether such records are let through. */
    boolean passesUnusable();
  }

  /**
   * An empty one.
   *
   * @param timed whether records have a time
   */
  Batch(Hash64 hash, int size, boolean timed) {
    super(size);
    this.hash = hash;
    this.times = timed ? new long[FIRST_PIECES] : null;
  }

  /** Says which file its records will be from, and what reads that. */
  void from(Origin file, RecordReader fileReader) {
    origin = file;
    reader = fileReader;
    hasLines = file.hasLines();
  }

  @Override
  protected void begin() {
    count = 0;
    keyed = 0;
    odds = 0;
    nulls = 0;
    terminated = true;
    if (ends.length > MOST_PIECES) { // a long batch: it is not to keep its memory
      ends = new int[FIRST_PIECES];
      hashes = new long[FIRST_PIECES];
      times = times == null ? null : new long[FIRST_PIECES];
    }
  }

  @Override
  protected void finish(boolean lastIsTerminated) {
    terminated = lastIsTerminated;
  }

  /** Returns what reads the file that its records are from. */
  RecordReader reader() {
    return reader;
  }

  /** Somebody may cut it ahead. */
  void mayBeCut() {
    cutting = Cutting.TO_DO;
  }

  boolean isToCut() {
    return cutting == Cutting.TO_DO;
  }

  boolean isBeingCut() {
    return cutting == Cutting.BEING_DONE;
  }

  /** Returns whether the caller is to cut it. */
  boolean takeToCut() {
    boolean taken = isToCut();
    if (taken) {
      cutting = Cutting.BEING_DONE;
    }
    return taken;
  }

  void cutHasEnded() {
    cutting = Cutting.DONE;
  }

  /** Says how much of all files was read. */
  void position(long readBytes) {
    position = readBytes;
  }

  @Override
  public void record(int end, byte[] key, int from, int to, long time) {
    if (count == ends.length) {
      grow();
    }
    if (times != null) {
      times[keyed] = time;
    }
    ends[count++] = end;
    hashes[keyed++] = hash.hash(key, from, to - from);
  }

  @Override
  public void lines(byte[] lines, int start, int[] lineEnds, int lineCount) throws InputException {
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

  private void grow() {
    int size = 2 * ends.length;
    ends = Arrays.copyOf(ends, size);
    hashes = Arrays.copyOf(hashes, size);
    times = times == null ? null : Arrays.copyOf(times, size);
  }

  @Override
  public void nullKey() {
    if (nulls == nullAt.length) {
      nullAt = Arrays.copyOf(nullAt, 2 * nulls + 16);
    }
    nullAt[nulls++] = count; // the next piece
  }

  @Override
  public void header(int end, List<String> columns) throws InputException {
    odd(end, origin.takesHeader(columns) ? Odd.HEADER : Odd.NOTHING);
  }

  @Override
  public void mark(int end) {
    odd(end, origin.isFirst() ? Odd.MARK : Odd.NOTHING);
  }

  /** An empty line is nobody's duplicate: it stays where it was. */
  @Override
  public void blank(int end) {
    odd(end, Odd.PASSED);
  }

  @Override
  public void between(int end) {
    odd(end, Odd.NOTHING);
  }

  @Override
  public void bad(int end, long line, long column, String reason) throws InputException {
    odd(end, origin.unusable(line, column, reason));
  }

  @Override
  public void more(int end) {
    odd(end, origin.passesUnusable() ? Odd.PASSED_MORE : Odd.SKIPPED_MORE);
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
  Decisions decisions() {
    return decisions;
  }

  @Override
  public int count() {
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

  /** Returns how many of the pieces up to the last of these have a null key. */
  int nullsUpTo(int lastPiece) {
    int after = Arrays.binarySearch(nullAt, 0, nulls, lastPiece + 1);
    return after < 0 ? -after - 1 : after;
  }

  /** Returns the number of lines of a piece; the last may lack its line end. */
  int linesOf(int piece) {
    int lines = isTerminated(piece) ? 0 : 1;
    for (int i = start(piece); i < end(piece); i++) {
      lines += bytes()[i] == origin.lineEnd() ? 1 : 0;
    }
    return lines;
  }

  /** What becomes of a piece that is not a record with a key; null if it is one. */
  Odd oddOf(int piece) {
    int odd = Arrays.binarySearch(oddAt, 0, odds, piece);
    return odd < 0 ? null : oddWhat[odd];
  }

  /** Where a piece begins. */
  int start(int piece) {
    return piece == 0 ? 0 : ends[piece - 1];
  }

  /** Behind its line end. */
  int end(int piece) {
    return ends[piece];
  }

  /**
   * Returns whether a piece needs no line end: the last of a file may lack it, and values of JSON.
   */
  boolean isTerminated(int piece) {
    if (hasLines && (terminated || piece < count - 1)) {
      return true;
    }
    if (bytes()[end(piece) - 1] == origin.lineEnd()) {
      return true;
    }
    Odd odd = oddOf(piece);
    return odd == Odd.MARK || (odd != null && (terminated || piece < count - 1));
  }

  /** The bytes of all pieces. */
  long byteCount() {
    return count == 0 ? 0 : ends[count - 1];
  }

  /** How much of all files, as they are on disk, was read when this was handed over. */
  long position() {
    return position;
  }
}
