package dev.unseen.cli;

import dev.unseen.hash.Hash64;
import dev.unseen.io.RecordReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lets the first occurrences through, in order: what {@code unseen} does without a subcommand.
 *
 * <p>A record's way: {@link ReadingThread} reads it, a {@code RecordCutter} finds its end and its
 * key, {@link Batch} hashes that; here the filter decides, a batch at a time, and {@link Writing}
 * hands it to {@link Outputs}.
 */
final class DedupCommand {
  private static final int BATCHES = 4; // enough that neither thread waits for the other's turn

  private final DedupOptions options;
  private final OutputStream stdout;
  private final PrintStream stderr;
  private final long began = System.nanoTime();

  private final Warnings warnings;
  private RunState state;
  private MetricsServer metrics; // null: nobody asked
  private Counts counts = Counts.NONE;

  DedupCommand(DedupOptions options, OutputStream stdout, PrintStream stderr) {
    this.options = options;
    this.stdout = stdout;
    this.stderr = stderr;
    this.warnings = new Warnings(stderr, options.has("--quiet"));
  }

  /** Runs to the end of the last file, or to a signal; the exit code. */
  int run() throws Failure {
    boolean json = options.wantsJson();
    metrics = options.has("--metrics-port") ? metrics() : null;
    state = RunState.begin(options, warnings);
    Handover handover = new Handover(batches());
    options.records(); // refuses what can be seen to be wrong before anything is read
    if (options.guessesHeader() && !options.has("--quiet")) {
      stderr.println(
          "unseen: the first row is taken for a header; use --no-header if it is a record");
    }
    Signals signals = new Signals(handover);
    try (Outputs outputs = new Outputs(options, stdout)) {
      Writing writing = new Writing(handover, outputs);
      new ReadingThread(options, handover, writing).start();
      signals.hearUsr1();
      boolean whole;
      try (Progress progress = new Progress(options, stderr)) {
        whole = decideAll(handover, writing, progress);
      } finally {
        writing.flush(); // whatever ends it, what was let through is written
      }
      if (whole) {
        outputs.commit(counts.fresh(), counts.duplicates());
      }
      if (whole || options.output() == null) { // all that it let through is out
        state.save();
      }
      if (!options.has("--quiet") || options.has("--stats")) {
        tell(json);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts this thread
    } finally {
      state.close();
      if (metrics != null) {
        metrics.close();
      }
      signals.runHasEnded();
    }
    return options.has("--fail-on-duplicate") && counts.duplicates() > 0
        ? Failure.DUPLICATES
        : Failure.OK;
  }

  private List<Batch> batches() throws Failure {
    Hash64 hash = state.gate().hash();
    int count = options.threads() == 1 ? 1 : BATCHES;
    boolean timed = options.hasTime();
    return Stream.generate(() -> new Batch(hash, RecordReader.READ_BYTES, timed))
        .limit(count)
        .toList();
  }

  /** True at the end of the input, false if a signal came first. */
  private boolean decideAll(Handover handover, Writing writing, Progress progress)
      throws Failure, InterruptedException {
    while (!handover.isStopped()) {
      Batch batch = handover.poll();
      if (batch == null) {
        writing.flush(); // what has arrived is passed on while the input is slow
        batch = handover.take();
      }
      if (handover.takeSummaryRequest()) {
        tell(options.wantsJson());
      }
      if (batch != null) {
        decide(batch);
        long position = batch.position();
        handover.putDecided(batch);
        if (metrics != null && metrics.isDue()) {
          metrics.publish(summary());
        }
        if (state.isDue()) {
          writing.flush();
          state.save();
        }
        progress.at(position);
      } else if (handover.isOver()) {
        Failure.rethrow(handover.failure());
        return true;
      }
    }
    return false;
  }

  private void decide(Batch batch) {
    batch.verdicts().decide(batch, state.gate());
    counts = counts.plus(batch.verdicts(), batch.byteCount());
  }

  private void tell(boolean json) {
    Summary summary = summary();
    stderr.println(json ? summary.json() : "unseen: " + summary);
    warnings.tell(summary.report());
    stderr.flush();
  }

  private Summary summary() {
    double seconds = (System.nanoTime() - began) / 1e9;
    return new Summary(counts, seconds, state.gate().report());
  }

  private MetricsServer metrics() throws Failure {
    MetricsServer server = new MetricsServer(options.get("--metrics-port", ""));
    if (!options.has("--quiet")) {
      stderr.println("unseen: metrics at http://localhost:%d/metrics".formatted(server.port()));
    }
    return server;
  }
}
