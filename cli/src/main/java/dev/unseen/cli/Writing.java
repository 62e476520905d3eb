package dev.unseen.cli;

/**
 * Writes the batches that are decided, in their order, in whichever thread has time for it: the
 * reading one while it waits for the filter, or the deciding one while it waits for input. So the
 * slower of the two has nothing else to do, and what has arrived does not lie about.
 */
final class Writing {
  private final Handover handover;
  private final Outputs outputs;
  private Failure failure; // after which nothing is written: there would be a gap

  Writing(Handover handover, Outputs outputs) {
    this.handover = handover;
    this.outputs = outputs;
  }

  /** Writes the first batch, if there is one; whether there was. */
  synchronized boolean writeNext() throws Failure {
    Batch batch = handover.pollDecided(); // within the lock: who takes a batch writes it first
    if (batch == null) {
      return false;
    }
    orFail(() -> outputs.write(batch, batch.verdicts()));
    handover.giveBack(batch);
    return true;
  }

  /**
   * Hands all that is decided to the operating system; fails if that ever failed, in whichever
   * thread.
   */
  synchronized void flush() throws Failure {
    while (writeNext()) {
      // goes on
    }
    orFail(outputs::flush);
  }

  private void orFail(Step step) throws Failure {
    if (failure != null) {
      throw failure;
    }
    try {
      step.run();
    } catch (Failure e) {
      failure = e;
      throw e;
    }
  }

  private interface Step {
    void run() throws Failure;
  }
}
