package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;

/**
 * Writes the batches that are decided, in their order, in any thread that has time: one that reads
 * while it waits for the filter, or the deciding one while it waits for input. This keeps the
 * slower of the two free, and output prompt.
 */
final class BatchWriter {
  private final Pipeline pipeline;
  private final Outputs outputs;
  private CliException failure; // of any thread; nothing is written after it

  BatchWriter(Pipeline pipeline, Outputs outputs) {
    this.pipeline = pipeline;
    this.outputs = outputs;
  }

  /** Writes the first batch; returns false if there is none. */
  synchronized boolean writeNext() throws CliException {
    if (failure != null) {
      throw failure;
    }
    Batch batch = pipeline.pollDecided(); // within the lock: who takes a batch writes it first
    if (batch == null) {
      return false;
    }
    try {
      outputs.write(batch, batch.decisions);
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
      // continues
    }
    try {
      outputs.flush();
    } catch (CliException e) {
      failure = e;
      throw e;
    }
  }

  /** Writes the records before one that cannot be written. */
  private void flushBefore(CliException e) {
    try {
      outputs.flush();
    } catch (CliException again) {
      e.addSuppressed(again);
    }
  }
}
