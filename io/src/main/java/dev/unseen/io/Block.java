package dev.unseen.io;

/**
 * Holds the records of one read side by side in one array of bytes. {@link RecordReader} fills it,
 * and a subclass stores what it needs of the records.
 */
public abstract class Block implements RecordSink {
  private byte[] bytes;

  /** Creates an empty block with room for this number of bytes. */
  protected Block(int size) {
    bytes = new byte[size];
  }

  /** Returns the bytes of all pieces. */
  public final byte[] bytes() {
    return bytes;
  }

  /** Replaces the array of bytes. The old contents are not needed any more. */
  final void bytes(byte[] others) {
    bytes = others;
  }

  /** Empties the block. */
  protected abstract void begin();

  /** Returns the number of pieces since the block was empty. */
  public abstract int count();

  /**
   * Marks the block as complete.
   *
   * @param terminated false if the last piece ends with the file, without a line end
   */
  protected abstract void finish(boolean terminated);
}
