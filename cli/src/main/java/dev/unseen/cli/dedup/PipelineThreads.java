package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.io.InputException;

/**
 * Runs every {@link Pipeline.Task} on batches except the decision, in its own threads and in those
 * that help while they wait. A read may wait for input forever, so the threads are daemons.
 */
final class PipelineThreads {
  private final Pipeline pipeline;
  private final BatchWriter writer;
  private final Inputs inputs;

  PipelineThreads(DedupOptions options, Pipeline pipeline, BatchWriter writer) {
    this.pipeline = pipeline;
    this.writer = writer;
    this.inputs = new Inputs(options);
  }

  void start(int count) {
    for (int i = 1; i <= count; i++) {
      Thread thread = new Thread(this::work, "helper-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void work() {
    try {
      for (Pipeline.Task task = pipeline.await(); task != null; task = pipeline.await()) {
        run(task);
      }
    } catch (Throwable e) { // report any failure to the deciding thread
      pipeline.fail(e);
    }
  }

  /** Does something in this thread; false if there is nothing to do that cannot wait forever. */
  boolean help() throws CliException {
    Pipeline.Task task = pipeline.poll();
    if (task != null) {
      run(task);
    }
    return task != null;
  }

  private void run(Pipeline.Task task) throws CliException {
    Batch batch = task.batch();
    switch (task.step()) {
      case READ -> read(batch);
      case CUT -> {
        batch.reader().cutAhead(batch);
        pipeline.wasCut(batch);
      }
      case SETTLE -> settle(batch);
      case WRITE -> writer.writeNext();
    }
  }

  private void read(Batch batch) {
    try {
      if (inputs.read(batch)) {
        pipeline.wasRead(batch);
      } else {
        pipeline.nothingRead(batch, null);
      }
    } catch (InputException | RuntimeException | Error e) {
      pipeline.nothingRead(batch, e);
    }
  }

  private void settle(Batch batch) {
    Throwable why = null;
    try {
      batch.reader().settle(batch);
    } catch (InputException | RuntimeException | Error e) {
      why = e;
    }
    pipeline.wasSettled(batch, why);
  }
}
