package dev.unseen.io;

import java.io.IOException;
import java.io.OutputStream;

/** Where the bytes of a file go that is written. */
public final class Sink {
  private Sink() {}

  /**
   * A stream that compresses if the file's name ends with {@code .gz}, {@code .xz} or {@code .zst};
   * the stream itself if not.
   */
  public static OutputStream of(String fileName, OutputStream out) throws IOException {
    return Compression.compress(fileName, out);
  }
}
