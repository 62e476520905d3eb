package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;

/**
 * Writes the batches that are decided, in their order, in whichever thread has time for it: the
 * reading one while it waits for the filter, or the deciding one while it waits for input. So the
 * slower of the two has nothing else to do, and what has arrived does not lie about.
 */
final class BatchWriter {
  private final Pipeline pipeline;
  private final Outputs outputs;
  private CliException failure; // in whichever thread; nothing is written behind it

  BatchWriter(Pipeline pipeline, Outputs outputs) {
    this.pipeline = pipeline;
    this.outputs = outputs;
  }

  /** Writes the first batch, if there is one; whether there was. */
  synchronized boolean writeNext() throws CliException {
    if (failure != null) {
      throw failure;
    }
    Batch batch = pipeline.pollDecided(); // within the lock: who takes a batch writes it first
    if (batch == null) {
      return false;
    }
    try {
      outputs.write(batch, batch.decisions());
    } catch (CliException e) {
      failure = e;
      flushBefore(e);
      throw e;
    }
    pipeline.giveBack(batch);
    return true;
  }

  /** Hands all that is decided to the operating system; fails if writing ever failed. */
  synchronized void flush() throws CliException {
    while (writeNext()) {
      // goes on
    }
    try {
      outputs.flush();
    } catch (CliException e) {
      failure = e;
      throw e;
    }
  }

  /** A record that cannot be written does not keep back those before it. */
  private void flushBefore(CliException e) {
    try {
      outputs.flush();
    } catch (CliException again) {
      e.addSuppressed(again);
    }
  }
}
