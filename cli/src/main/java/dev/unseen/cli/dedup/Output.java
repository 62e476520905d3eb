package dev.unseen.cli.dedup;

import java.io.IOException;
import java.io.OutputStream;

/** A place that records go to. */
interface Output extends AutoCloseable {
  /** Returns the name for messages. */
  String name();

  /** Returns where its bytes go. */
  OutputStream stream();

  /** Returns what is in its place already, and stays there before what is written. */
  default OlderContent older() {
    return OlderContent.NONE;
  }

  /** Returns whether nothing is in its place before {@link #commit}. */
  boolean isHeldBack();

  /** Forces all that was written to the disk, in a form that can be read. */
  void force() throws IOException;

  /** Ends the output: all of it is in its place, and on the disk. */
  void commit() throws IOException;

  /** Ends the output early, unless it is committed: what is held back is discarded. */
  @Override
  void close();
}
