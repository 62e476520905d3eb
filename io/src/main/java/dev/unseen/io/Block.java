package dev.unseen.io;

/**
 * Records side by side in one array of bytes, as one read brought them. {@link RecordReader} fills
 * it; a subclass keeps what it is told of the records.
 */
public abstract class Block implements RecordSink {
  private byte[] bytes;

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
