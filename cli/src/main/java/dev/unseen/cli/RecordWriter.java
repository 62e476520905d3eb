package dev.unseen.cli;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes records, many per call of the operating system. Large runs of records go out straight from
 * the buffer they lie in.
 */
final class RecordWriter {
  private static final int BUFFER_BYTES = 256 << 10;
  private static final int STRAIGHT_BYTES = BUFFER_BYTES / 4;

  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int used;
  private boolean owesNewline;

  RecordWriter(OutputStream out) {
    this.out = out;
  }

  /**
   * Writes a run of records with their newlines.
   *
   * @param terminated false if the last of them lacks its newline. It is then written only if
   *     another record follows, so that two are never glued together
   */
  void write(byte[] bytes, int from, int to, boolean terminated) throws Failure {
    if (owesNewline) {
      if (used == buffer.length) {
        drain();
      }
      buffer[used++] = '\n';
    }
    owesNewline = !terminated;
    int length = to - from;
    if (length > buffer.length - used) {
      drain();
    }
    if (length >= STRAIGHT_BYTES) {
      drain();
      send(bytes, from, length);
    } else {
      System.arraycopy(bytes, from, buffer, used, length);
      used += length;
    }
  }

  /** Hands all that was written to the operating system. */
  void flush() throws Failure {
    drain();
  }

  private void drain() throws Failure {
    int length = used;
    used = 0; // before the write: what failed once is not tried again
    if (length > 0) {
      send(buffer, 0, length);
    }
  }

  private void send(byte[] bytes, int from, int length) throws Failure {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static Failure failure(IOException e) {
    String reason = String.valueOf(e.getMessage());
    return reason.contains("Broken pipe") // the system's words; Java has no type for it
        ? Failure.readerGone(e)
        : Failure.inputOrOutput("cannot write stdout: " + reason, e);
  }
}
