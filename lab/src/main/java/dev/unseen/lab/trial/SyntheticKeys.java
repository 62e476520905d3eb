package dev.unseen.lab.trial;

import dev.unseen.lab.stream.SyntheticStream;
import java.nio.ByteBuffer;

/** Reads the keys of a synthetic stream as if they were 64-bit integers in a file. */
public final class SyntheticKeys implements KeySource {
  private final SyntheticStream stream;
  private final ByteBuffer key = ByteBuffer.allocate(Long.BYTES);
  private long records;

  /** Starts before the first record. */
  public SyntheticKeys(SyntheticStream stream) {
    this.stream = stream;
  }

  @Override
  public boolean next() {
    if (records == stream.records()) {
      return false;
    }
    key.putLong(0, stream.key(records++));
    return true;
  }

  @Override
  public byte[] buffer() {
    return key.array();
  }

  @Override
  public int offset() {
    return 0;
  }

  @Override
  public int length() {
    return Long.BYTES;
  }

  @Override
  public void close() {}
}
