package dev.unseen.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;

/**
 * A file, or stdin, with a name for messages. Every failure to read is told with that name.
 *
 * <p>Before a read that would have to wait it lets the {@link Waiting} know, so that what has
 * arrived is passed on while the input is slow.
 *
 * <p>Plain streams, not channels: as fast with large reads, and fewer classes to load at the start.
 */
final class Input implements AutoCloseable {
  /** What to do before a wait. */
  interface Waiting {
    void begins() throws Failure;
  }

  private static final String STDIN = "-";

  private final String name;
  private final InputStream stream;
  private final boolean kept;
  private final Waiting waiting;

  Input(String name, InputStream stream, boolean kept, Waiting waiting) {
    this.name = name;
    this.stream = stream;
    this.kept = kept;
    this.waiting = waiting;
  }

  /** Opens a file; {@code -} is stdin. */
  static Input open(String path, Waiting waiting) throws Failure {
    if (path.equals(STDIN)) {
      return new Input("stdin", new FileInputStream(FileDescriptor.in), true, waiting);
    }
    String name = "'" + path + "'";
    try {
      return new Input(name, new FileInputStream(path), false, waiting);
    } catch (FileNotFoundException e) {
      throw unreadable(name, reasonOf(e, path), e);
    }
  }

  String name() {
    return name;
  }

  /** Waits for the first byte, then returns what is there; -1 at the end. */
  int read(byte[] buffer, int offset, int length) throws Failure {
    if (wouldWait()) {
      waiting.begins();
    }
    try {
      return stream.read(buffer, offset, length);
    } catch (IOException e) {
      throw unreadable(name, e.getMessage(), e);
    }
  }

  private boolean wouldWait() {
    try {
      return stream.available() <= 0;
    } catch (IOException e) {
      return true; // it cannot tell, and to pass on too often does no harm
    }
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
      if (!kept) {
        stream.close();
      }
    } catch (IOException e) {
      // All of it was read; nothing is lost.
    }
  }
}
