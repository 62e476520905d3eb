package dev.unseen.cli.dedup;

import java.io.IOException;

/** A place that records go to. */
abstract class Output implements AutoCloseable {
  final String name;
  final Disk disk;
  final CompressedOutput stream; // where its bytes go

  /**
   * Creates an output.
   *
   * @param name for messages
   */
  Output(String name, Disk disk, CompressedOutput stream) {
    this.name = name;
    this.disk = disk;
    this.stream = stream;
  }

  /** Returns what is in its place already, and stays there before what is written. */
  OlderContent older() {
    return OlderContent.NONE;
  }

  /** Returns whether nothing is in its place before {@link #commit}. */
  abstract boolean isHeldBack();

  /** Forces all that was written to the disk, in a form that can be read. */
  abstract void force() throws IOException;

  /** Ends the output: all of it is in its place, and on the disk. */
  abstract void commit() throws IOException;

  /** Ends the output early, unless it is committed: what is held back is discarded. */
  @Override
  public abstract void close();
}
