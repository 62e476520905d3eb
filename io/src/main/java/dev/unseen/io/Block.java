package dev.unseen.io;

/**
 * Holds the records of one read side by side in one array of bytes. {@link RecordReader} fills it,
 * and a subclass stores what it needs of the records.
 */
public abstract class Block implements RecordSink {
  static final long NOT_AHEAD = -1;

  private byte[] bytes;
  int length; // of what a read brought
  boolean endsWithLine;
  boolean isLast;
  long linesAhead = NOT_AHEAD; // if the bytes were cut before those of earlier blocks

  /** Creates an empty block with room for this number of bytes. */
  protected Block(int size) {
    bytes = new byte[size];
  }

  /** Returns the bytes of all pieces. */
  public final byte[] bytes() {
    return bytes;
  }

  /** Replaces the array of the bytes, which are no longer needed. */
  final void bytes(byte[] others) {
    bytes = others;
  }

  /** Records the bytes that a read has put into the block. */
  final void bring(int byteCount, boolean endWithLine, boolean areLast) {
    length = byteCount;
    endsWithLine = endWithLine;
    isLast = areLast;
    linesAhead = NOT_AHEAD;
  }

  /** Empties the block. */
  protected abstract void begin();

  /** Returns the number of pieces since the block was empty. */
  public abstract int count();

  /**
   * All is in.
   *
   * @param terminated false if the last piece ends with the file, without a line end
   */
  protected abstract void finish(boolean terminated);
}
