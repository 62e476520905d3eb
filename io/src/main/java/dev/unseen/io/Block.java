package dev.unseen.io;

/**
 * Records side by side in one array of bytes, as one read brought them. {@link RecordReader} fills
 * it; a subclass keeps what it is told of the records.
 */
public abstract class Block implements RecordSink {
  private static final long NOT_AHEAD = -1;

  private byte[] bytes;
  private int length; // of what a read brought
  private boolean endsWithLine;
  private boolean last;
  private long linesAhead = NOT_AHEAD;

  /** Makes an empty one with room for this many bytes. */
  protected Block(int size) {
    bytes = new byte[size];
  }

  /** Returns the bytes of all pieces. */
  public final byte[] bytes() {
    return bytes;
  }

  /** Puts another array in place of the bytes, which nobody needs any more. */
  final void bytes(byte[] others) {
    bytes = others;
  }

  /** A read has brought bytes. */
  final void bring(int byteCount, boolean endWithLine, boolean areLast) {
    length = byteCount;
    endsWithLine = endWithLine;
    last = areLast;
    linesAhead = NOT_AHEAD;
  }

  final int length() {
    return length;
  }

  final boolean endsWithLine() {
    return endsWithLine;
  }

  final boolean isLast() {
    return last;
  }

  /** The bytes were cut before those of the blocks before it. */
  final void cutAhead(long lines) {
    linesAhead = lines;
  }

  final boolean isCutAhead() {
    return linesAhead != NOT_AHEAD;
  }

  final long linesAhead() {
    return linesAhead;
  }

  /** Empties it. */
  protected abstract void begin();

  /** Returns how many pieces it was told of since it was empty. */
  public abstract int count();

  /**
   * All is in.
   *
   * @param terminated false if the last piece ends with the file, without a line end
   */
  protected abstract void finish(boolean terminated);
}
