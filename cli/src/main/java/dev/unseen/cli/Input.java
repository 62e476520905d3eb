package dev.unseen.cli;

import dev.unseen.io.InputException;
import dev.unseen.io.Source;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file, or stdin, with a name for messages. Every failure to read is told with that name. What is
 * compressed, by its first bytes, is read as what is in it.
 *
 * <p>Plain streams, not channels: as fast with large reads, and fewer classes to load at the start.
 */
final class Input implements AutoCloseable {
  /** What stands for stdin among the files. */
  static final String STDIN = "-";

  private static final int MAGIC_BYTES = 6;

  private final String path;
  private final InputStream stream;
  private final AtomicLong position; // of all inputs
  private final byte[] start = new byte[MAGIC_BYTES];
  private int startOffset;
  private int startLength; // of what was looked at, and is to be read first
  private boolean begun;
  private Source source; // if it is compressed

  Input(String path, InputStream stream, AtomicLong position) {
    this.path = path;
    this.stream = new Counted(stream, position);
    this.position = position;
  }

  /** Opens a file; {@code -} is stdin. */
  static Input open(String path, AtomicLong position) throws Failure {
    if (path.equals(STDIN)) {
      return new Input(path, new FileInputStream(FileDescriptor.in), position);
    }
    try {
      return new Input(path, new FileInputStream(path), position);
    } catch (FileNotFoundException e) {
      throw unreadable(nameOf(path), reasonOf(e, path), e);
    }
  }

  /** A path as it stands in messages. */
  static String nameOf(String path) {
    return path.equals(STDIN) ? "stdin" : "'" + path + "'";
  }

  /** Waits for the first byte, then returns what is there; -1 at the end. */
  int read(byte[] buffer, int offset, int length) throws Failure {
    try {
      if (!begun) {
        begin();
      }
      if (source != null) {
        return source.read(buffer, offset, length, -1);
      }
      if (startLength > 0) {
        return readStart(buffer, offset, length);
      }
      return stream.read(buffer, offset, length);
    } catch (InputException e) {
      throw Failure.inputOrOutput(e.getMessage(), e);
    } catch (IOException e) {
      throw unreadable(nameOf(path), e.getMessage(), e);
    }
  }

  private int readStart(byte[] buffer, int offset, int length) throws IOException {
    int count = Math.min(startLength, length);
    System.arraycopy(start, startOffset, buffer, offset, count);
    startOffset += count;
    startLength -= count;
    boolean more = count < length && stream.available() > 0;
    return count + (more ? Math.max(0, stream.read(buffer, offset + count, length - count)) : 0);
  }

  /** Looks at no more bytes than it takes to tell that it is not compressed. */
  private void begin() throws IOException {
    begun = true;
    boolean ended = false;
    do {
      int count = stream.read(start, startLength, MAGIC_BYTES - startLength);
      ended = count < 0;
      startLength += Math.max(count, 0);
    } while (!ended
        && startLength < MAGIC_BYTES
        && Source.mayBeCompressed(path, start, startLength));
    if (Source.mayBeCompressed(path, start, startLength)) {
      InputStream looked = new ByteArrayInputStream(start, 0, startLength);
      source = Source.open(new SequenceInputStream(looked, stream), path);
    }
  }

  /** The bytes of all inputs so far, as they are on disk. */
  long position() {
    return position.get();
  }

  /** Java says {@code PATH (REASON)}, be it missing, forbidden or a directory. */
  private static String reasonOf(FileNotFoundException e, String path) {
    String message = e.getMessage();
    return message.startsWith(path + " (")
        ? message.substring(path.length() + 2, message.length() - 1)
        : message;
  }

  private static Failure unreadable(String name, String reason, IOException e) {
    return Failure.inputOrOutput("cannot read %s: %s".formatted(name, reason), e);
  }

  /** Closes the file. Stdin is left open: it is not ours, and may be named twice. */
  @Override
  public void close() {
    try {
      if (!path.equals(STDIN)) {
        stream.close();
      }
    } catch (IOException e) {
      // All of it was read; nothing is lost.
    }
  }

  private static final class Counted extends FilterInputStream {
    private final AtomicLong position;

    Counted(InputStream in, AtomicLong position) {
      super(in);
      this.position = position;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = in.read(buffer, offset, length);
      position.addAndGet(Math.max(count, 0));
      return count;
    }
  }
}
