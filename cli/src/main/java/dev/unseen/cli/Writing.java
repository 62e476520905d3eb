package dev.unseen.cli;

/**
 * Writes the batches that are decided, in their order, in whichever thread has time for it: the
 * reading one while it waits for the filter, or the deciding one while it waits for input. So the
 * slower of the two has nothing else to do, and what has arrived does not lie about.
 */
final class Writing {
  private final Handover handover;
  private final Outputs outputs;
  private Failure failure; // in whichever thread; nothing is written behind it

  Writing(Handover handover, Outputs outputs) {
    this.handover = handover;
    this.outputs = outputs;
  }

  /** Writes the first batch, if there is one; whether there was. */
  synchronized boolean writeNext() throws Failure {
    if (failure != null) {
      throw failure;
    }
    Batch batch = handover.pollDecided(); // within the lock: who takes a batch writes it first
    if (batch == null) {
      return false;
    }
    try {
      outputs.write(batch, batch.verdicts());
    } catch (Failure e) {
      failure = e;
      flushBefore(e);
      throw e;
    }
    handover.giveBack(batch);
    return true;
  }

  /** Hands all that is decided to the operating system; fails if writing ever failed. */
  synchronized void flush() throws Failure {
    while (writeNext()) {
      // goes on
    }
    try {
      outputs.flush();
    } catch (Failure e) {
      failure = e;
      throw e;
    }
  }

  /** A record that cannot be written does not keep back those before it. */
  private void flushBefore(Failure e) {
    try {
      outputs.flush();
    } catch (Failure again) {
      e.addSuppressed(again);
    }
  }
}
