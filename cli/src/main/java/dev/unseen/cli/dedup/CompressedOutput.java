package dev.unseen.cli.dedup;

import dev.unseen.io.Compression;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Compresses what goes to a file, if the name of the file asks for it. What was written so far can
 * be made readable at any time: the formats allow one compressed part to follow another.
 */
final class CompressedOutput extends OutputStream {
  private final String fileName;
  private final OutputStream file;
  private OutputStream part; // null: none is begun

  /**
   * Starts to write to a file, which stays open at the end.
   *
   * @param fromEmpty whether the file has no part yet: one without a record gets an empty part
   */
  CompressedOutput(String fileName, OutputStream file, boolean fromEmpty) throws IOException {
    this.fileName = fileName;
    this.file = new Unclosed(file);
    this.part = fromEmpty ? begin() : null;
  }

  private OutputStream begin() throws IOException {
    return Compression.compress(fileName, file);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    if (part == null) {
      part = begin();
    }
    part.write(bytes, from, length);
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  /** Ends the current part, so that all that was written can be read. */
  void endPart() throws IOException {
    if (part != null) {
      OutputStream ended = part;
      part = null; // what failed once is not tried again
      ended.close();
    }
  }

  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
