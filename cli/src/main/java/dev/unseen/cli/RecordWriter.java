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

  private final String name;
  private final OutputStream out;
  private final byte lineEnd;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int used;
  private boolean owesLineEnd;

  /**
   * Writes to a stream.
   *
   * @param name of the stream, for messages
   * @param lineEnd what a record gets that has no line end but is not the last
   */
  RecordWriter(String name, OutputStream out, byte lineEnd) {
    this.name = name;
    this.out = out;
    this.lineEnd = lineEnd;
  }

  /**
   * Writes a run of records with their line ends.
   *
   * @param terminated false if the last of them lacks its line end. It is then written only if
   *     another record follows, so that two are never glued together
   */
  void write(byte[] bytes, int from, int to, boolean terminated) throws Failure {
    if (owesLineEnd) {
      if (used == buffer.length) {
        flush();
      }
      buffer[used++] = lineEnd;
    }
    owesLineEnd = !terminated;
    int length = to - from;
    if (length > buffer.length - used) {
      flush();
    }
    if (length >= STRAIGHT_BYTES) {
      flush();
      send(bytes, from, length);
    } else {
      System.arraycopy(bytes, from, buffer, used, length);
      used += length;
    }
  }

  /** Writes some bytes as they are. */
  void write(byte[] bytes) throws Failure {
    write(bytes, 0, bytes.length, true);
  }

  /** Ends the last record, if it lacks its line end. */
  void endLine() throws Failure {
    write(new byte[0]);
  }

  /** Hands all that was written to the operating system. */
  void flush() throws Failure {
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
      throw failure(name, e);
    }
  }

  /** What to tell of a stream that cannot be written. */
  static Failure failure(String name, IOException e) {
    String reason = String.valueOf(e.getMessage());
    return reason.contains("Broken pipe") // the system's words; Java has no type for it
        ? Failure.readerGone(e)
        : Failure.inputOrOutput("cannot write %s: %s".formatted(name, reason), e);
  }
}
