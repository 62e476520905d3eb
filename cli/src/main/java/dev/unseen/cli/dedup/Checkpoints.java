package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.text.Print;

/**
 * Saves what a run has done to the disk, in the one order in which nothing is lost if it is killed:
 * records are written, the outputs reach the disk, and only then does a state that counts these
 * records. Whenever a run is cut off, the saved state knows no record whose output can be lost. The
 * next run may let through again what came after the last checkpoint.
 *
 * <p>An output that is held back until the end of the run has no checkpoint before it: output and
 * state change together, or neither does.
 */
final class Checkpoints {
  private final BatchWriter writer;
  private final Outputs outputs;
  private final RunState state;
  private volatile String atRisk; // while a checkpoint is under way; else null

  Checkpoints(BatchWriter writer, Outputs outputs, RunState state) {
    this.writer = writer;
    this.outputs = outputs;
    this.state = state;
  }

  /** Returns the time until the next checkpoint; the longest time if there is no need for one. */
  long nanosUntilDue() {
    return outputs.areHeldBack() ? Long.MAX_VALUE : state.nanosUntilDue();
  }

  /** Takes a checkpoint, unless outputs are held back. */
  void take() throws CliException {
    writer.flush();
    if (state.isKept() && !outputs.areHeldBack()) {
      secure(false);
    }
  }

  /** Ends a run that has decided all of its records: puts every output in its place. */
  void end() throws CliException {
    writer.flush();
    secure(true);
  }

  private void secure(boolean commit) throws CliException {
    atRisk = riskInWords();
    try {
      if (commit) {
        outputs.commit();
      }
      if (state.isKept()) {
        outputs.force();
      }
      state.save();
    } finally {
      atRisk = null;
    }
  }

  private String riskInWords() {
    if (!state.isKept()) {
      return "the output is incomplete";
    }
    return outputs.areHeldBack()
        ? "the output file and the state may stay as they were before this run"
        : "the state does not count the last %s, and the next run may let these through again"
            .formatted(Print.things(state.unsavedRecords(), "record"));
  }

  /**
   * Returns what is lost if the process is killed right now; null if no checkpoint is under way.
   */
  String atRisk() {
    return atRisk;
  }
}
