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
 * with a key; the few others are listed separately, each with what happens to it.
 */
final class Batch extends Block {
  /** What happens to a piece that is not a record with a key. */
  enum Special {
    /** A header: for every output. */
    HEADER,
    /** Not part of a record, and written to every output, such as a byte order mark. */
    MARK,
    /** A record, or an empty line, that is let through without asking. */
    PASSED,
    /** More bytes of a record that is let through. */
    PASSED_MORE,
    /** A record that is left out. */
    SKIPPED,
    /** More bytes of a record that is left out. */
    SKIPPED_MORE,
    /** Not written: separators, or a repeated header. */
    NOTHING
  }

  /** The progress of a batch that may be cut ahead. */
  enum Cutting {
    TO_DO,
    BEING_DONE,
    DONE
  }

  private static final int FIRST_PIECES = 8192;

  /** More pieces than one read can bring. */
  private static final int MOST_PIECES = 2 * RecordReader.READ_BYTES;

  private final Hash64 hash;
  final FormerHashes former; // null: no filter knows other hashes
  final Decisions decisions = new Decisions();
  private int[] ends = new int[FIRST_PIECES];
  private long[] hashes = new long[FIRST_PIECES];
  private long[] times; // null: records have none
  private int count;
  private int keyed;
  private int[] specialAt = new int[16];
  private Special[] specialKind = new Special[16];
  private int specials;
  private int[] nullAt = {};
  private int nulls;

  Cutting cutting = Cutting.DONE; // the pipeline's
  private Inputs.Origin origin;
  private RecordReader reader;
  private boolean hasLines = true;
  private boolean terminated;
  long position; // how much of all files, as they are on disk, had been read for it

  /**
   * An empty one.
   *
   * @param former the hash functions from before changes of the secret
   * @param timed whether records have a time
   */
  Batch(Hash64 hash, List<Hash64> former, int size, boolean timed) {
    super(size);
    this.hash = hash;
    this.former = former.isEmpty() ? null : new FormerHashes(former, FIRST_PIECES);
    this.times = timed ? new long[FIRST_PIECES] : null;
  }

  /** Sets the file that its records will be from, and what reads it. */
  void from(Inputs.Origin file, RecordReader fileReader) {
    origin = file;
    reader = fileReader;
    hasLines = file.hasLines;
  }

  @Override
  protected void begin() {
    count = 0;
    keyed = 0;
    specials = 0;
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

  @Override
  public void record(int end, byte[] key, int from, int to, long time) {
    if (count == ends.length) {
      grow();
    }
    if (times != null) {
      times[keyed] = time;
    }
    ends[count++] = end;
    if (former != null) {
      former.put(keyed, key, from, to - from);
    }
    hashes[keyed++] = hash.hash(key, from, to - from);
  }

  @Override
  public void lines(byte[] lines, int start, int[] lineEnds, int lineCount) throws InputException {
    while (ends.length - count < lineCount) {
      grow();
    }
    System.arraycopy(lineEnds, 0, ends, count, lineCount);
    hashLines(lines, start, lineCount);
    if (former != null) {
      hashFormerLines(lines, start, lineCount);
    }
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

  private void hashFormerLines(byte[] lines, int start, int lineCount) {
    int from = start;
    for (int i = 0; i < lineCount; i++) {
      int end = ends[count + i];
      former.put(keyed + i, lines, from, end - 1 - from);
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
    special(end, origin.takesHeader(columns) ? Special.HEADER : Special.NOTHING);
  }

  @Override
  public void mark(int end) {
    special(end, origin.first ? Special.MARK : Special.NOTHING);
  }

  /** Takes an empty line, which is never a duplicate: it stays where it was. */
  @Override
  public void blank(int end) {
    special(end, Special.PASSED);
  }

  @Override
  public void between(int end) {
    special(end, Special.NOTHING);
  }

  @Override
  public void bad(int end, long line, long column, String reason) throws InputException {
    special(end, origin.unusable(line, column, reason));
  }

  @Override
  public void more(int end) {
    special(end, origin.passesUnusable ? Special.PASSED_MORE : Special.SKIPPED_MORE);
  }

  private void special(int end, Special what) {
    if (count == ends.length) {
      grow();
    }
    if (specials == specialAt.length) {
      specialAt = Arrays.copyOf(specialAt, 2 * specials);
      specialKind = Arrays.copyOf(specialKind, 2 * specials);
    }
    specialAt[specials] = count;
    specialKind[specials++] = what;
    ends[count++] = end;
  }

  Inputs.Origin origin() {
    return origin;
  }

  @Override
  public int count() {
    return count;
  }

  /** Returns the number of records with a key. */
  int keyed() {
    return keyed;
  }

  /** Returns the hashes of the keys, in order. */
  long[] hashes() {
    return hashes;
  }

  /** Returns the times of the records, in order; null if they have none. */
  long[] times() {
    return times;
  }

  /** Returns the number of pieces that are not records with a key. */
  int specials() {
    return specials;
  }

  /** Returns the index of the piece that a special entry describes. */
  int specialAt(int special) {
    return specialAt[special];
  }

  Special specialKind(int special) {
    return specialKind[special];
  }

  /** Returns how many of the pieces up to the last of these have a null key. */
  int nullsUpTo(int lastPiece) {
    int after = Arrays.binarySearch(nullAt, 0, nulls, lastPiece + 1);
    return after < 0 ? -after - 1 : after;
  }

  /** Returns the number of lines of the first pieces. */
  long lines(int pieces) {
    long lines = 0;
    for (int piece = 0; piece < pieces; piece++) {
      lines += linesOf(piece);
    }
    return lines;
  }

  /** Returns the number of lines of a piece; the last may lack its line end. */
  int linesOf(int piece) {
    int lines = isTerminated(piece) ? 0 : 1;
    for (int i = start(piece); i < end(piece); i++) {
      lines += bytes()[i] == origin.lineEnd ? 1 : 0;
    }
    return lines;
  }

  /** Returns what happens to a piece that is not a record with a key; null if it is one. */
  Special oddOf(int piece) {
    int special = Arrays.binarySearch(specialAt, 0, specials, piece);
    return special < 0 ? null : specialKind[special];
  }

  int start(int piece) {
    return piece == 0 ? 0 : ends[piece - 1];
  }

  /** Returns the end of a piece, after its line terminator. */
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
    if (bytes()[end(piece) - 1] == origin.lineEnd) {
      return true;
    }
    Special special = oddOf(piece);
    return special == Special.MARK || (special != null && (terminated || piece < count - 1));
  }

  long byteCount() {
    return count == 0 ? 0 : ends[count - 1];
  }
}
