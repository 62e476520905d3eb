package dev.unseen.io;

import java.io.IOException;
import java.io.OutputStream;

/** Creates the streams that files are written to. */
public final class Sink {
  private Sink() {}

  /**
   * Returns a stream that compresses if the file's name ends with the suffix of a compression, such
   * as {@code .gz}, {@code .xz} or {@code .zst}. Otherwise returns the stream itself.
   */
  public static OutputStream of(String fileName, OutputStream out) throws IOException {
    return Compression.compress(fileName, out);
  }
}
