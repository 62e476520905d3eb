package dev.unseen.cli;

import dev.unseen.io.InputException;

/**
 * Does all the {@link Work} on batches but deciding, in threads of its own and in that of whoever
 * helps. A read may wait for input for ever, so the threads do not keep the process alive.
 */
final class Helpers {
  private final Handover handover;
  private final Writing writing;
  private final Inputs inputs;

  Helpers(DedupOptions options, Handover handover, Writing writing) throws Failure {
    this.handover = handover;
    this.writing = writing;
    this.inputs = new Inputs(options);
  }

  /** Starts threads. */
  void start(int count) {
    for (int i = 1; i <= count; i++) {
      Thread thread = new Thread(this::work, "helper-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void work() {
    try {
      Work work = handover.await();
      while (work != null) {
        run(work);
        work = handover.await();
      }
    } catch (Throwable e) { // whatever it is, the deciding thread is to know
      handover.fail(e);
    }
  }

  /** Does something in this thread; false if there is nothing to do that cannot wait for ever. */
  boolean help() {
    Work work = handover.poll();
    if (work == null) {
      return false;
    }
    if (work.step() == Work.Step.CUT) {
      cut(work.batch());
    } else {
      settle(work.batch());
    }
    return true;
  }

  private void run(Work work) throws Failure {
    switch (work.step()) {
      case READ -> read(work.batch());
      case CUT -> cut(work.batch());
      case SETTLE -> settle(work.batch());
      case WRITE -> writing.writeNext();
    }
  }

  private void read(Batch batch) {
    try {
      if (inputs.read(batch)) {
        handover.wasRead(batch);
      } else {
        handover.nothingRead(batch, null);
      }
    } catch (InputException | RuntimeException | Error e) {
      handover.nothingRead(batch, e);
    }
  }

  private void cut(Batch batch) {
    batch.reader().cutAhead(batch);
    handover.wasCut(batch);
  }

  private void settle(Batch batch) {
    Throwable why = null;
    try {
      batch.reader().settle(batch);
    } catch (InputException | RuntimeException | Error e) {
      why = e;
    }
    handover.wasSettled(batch, why);
  }
}
