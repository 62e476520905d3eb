package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import java.io.IOException;
import java.io.OutputStream;

/** Remembers that a write has failed, for writers that do not report it. */
public final class CheckedOutput extends OutputStream {
  private final String name;
  private final OutputStream out;
  private IOException failure; // the first one; null: none

  /** Checks what is written to a stream, which has this name in messages. */
  public CheckedOutput(String name, OutputStream out) {
    this.name = name;
    this.out = out;
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  /** Fails if a write has failed. */
  public void check() throws CliException {
    if (failure != null) {
      throw RecordWriter.failure(name, true, failure);
    }
  }
}
