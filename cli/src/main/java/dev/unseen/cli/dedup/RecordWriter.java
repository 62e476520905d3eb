package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import java.io.IOException;

/**
 * Writes records, many per call of the operating system. Large runs of records go out straight from
 * the buffer they lie in.
 */
final class RecordWriter {
  private static final int BUFFER_BYTES = 256 << 10;
  private static final int STRAIGHT_BYTES = BUFFER_BYTES / 4;

  private final Output place;
  private final boolean main;
  private final byte lineEnd;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int used;
  private boolean owesLineEnd; // of what the file had before

  /**
   * Writes to a place.
   *
   * @param main whether the run is for this output, and ends when its reader has enough
   * @param lineEnd what a record gets that has no line end
   */
  RecordWriter(Output place, boolean main, byte lineEnd) {
    this.place = place;
    this.main = main;
    this.lineEnd = lineEnd;
    this.owesLineEnd = !place.older().isEmpty() && place.older().lastByte() != lineEnd;
  }

  Output place() {
    return place;
  }

  /**
   * Writes a run of records with their line ends.
   *
   * @param terminated false if the last of them lacks its line end, which is then added, so that
   *     what is appended later never becomes part of it
   */
  void write(byte[] bytes, int from, int to, boolean terminated) throws CliException {
    if (owesLineEnd) {
      owesLineEnd = false;
      endLine();
    }
    copy(bytes, from, to);
    if (!terminated) {
      endLine();
    }
  }

  private void copy(byte[] bytes, int from, int to) throws CliException {
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
  void write(byte[] bytes) throws CliException {
    write(bytes, 0, bytes.length, true);
  }

  private void endLine() throws CliException {
    if (used == buffer.length) {
      flush();
    }
    buffer[used++] = lineEnd;
  }

  /** Hands all that was written to the operating system. */
  void flush() throws CliException {
    int length = used;
    used = 0; // before the write: what failed once is not tried again
    if (length > 0) {
      send(buffer, 0, length);
    }
  }

  private void send(byte[] bytes, int from, int length) throws CliException {
    try {
      place.stream.write(bytes, from, length);
    } catch (IOException e) {
      throw failure(place.name, main, e);
    }
  }

  /** Brings to the disk what was flushed, as far as it is not held back. */
  void force() throws CliException {
    try {
      place.force();
    } catch (IOException e) {
      throw failure(place.name, main, e);
    }
  }

  /** Puts the output in its place: all is written and flushed. */
  void commit() throws CliException {
    try {
      place.commit();
    } catch (IOException e) {
      throw failure(place.name, main, e);
    }
  }

  /**
   * Returns the exception for a stream that cannot be written. If the reader of the main output is
   * gone, the run has succeeded. If the reader of another output is gone, the main output is
   * truncated, which is an error.
   */
  static CliException failure(String name, boolean main, IOException e) {
    String reason = String.valueOf(e.getMessage());
    boolean readerGone = reason.contains("Broken pipe"); // the system's words; Java has no type
    if (readerGone && main) {
      return CliException.readerGone(e);
    }
    return CliException.inputOrOutput(
        "cannot write %s: %s"
            .formatted(
                name,
                readerGone
                    ? "its reader has closed the pipe; let it read to the end, or write to a file"
                    : reason),
        e);
  }
}
