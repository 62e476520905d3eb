package dev.unseen.cli.dedup;

import dev.unseen.LateRecords;
import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.cli.dedup.DedupOptions.OutputOptions.Selection;
import dev.unseen.commands.CliException;
import dev.unseen.commands.MetricsServer;
import dev.unseen.hash.Hash64;
import dev.unseen.io.RecordReader;
import dev.unseen.metrics.PrometheusText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Lets the first occurrences through, in order: what {@code unseen} does without a subcommand.
 *
 * <p>The path of a record: {@link Inputs} reads it, a {@code RecordCutter} finds its end and its
 * key, {@link Batch} hashes that; here the filter decides, a batch at a time, and {@link
 * BatchWriter} hands it to {@link Outputs}.
 */
final class DedupCommand {
  private static final int BATCHES = 2; // for each thread: enough that none waits for its turn

  private final DedupOptions options;
  private final OutputStream stdout;
  private final PrintStream stderr;
  private final Disk disk;
  private final long began = System.nanoTime();

  private final Progress progress;
  private final Warnings warnings;
  private RunState state;
  private Checkpoints checkpoints;
  private MetricsServer metrics; // null: not requested
  private final RunCounts counts = new RunCounts();
  private boolean endedByDuplicate;
  private CliException tooLate; // with --late fail: why the run ends early
  private boolean isStale; // what the metrics show

  DedupCommand(DedupOptions options, OutputStream stdout, PrintStream stderr) {
    this(options, stdout, stderr, new Disk());
  }

  DedupCommand(DedupOptions options, OutputStream stdout, PrintStream stderr, Disk disk) {
    this.disk = disk;
    this.options = options;
    this.stdout = stdout;
    this.stderr = stderr;
    this.progress = new Progress(options, stderr);
    this.warnings =
        new Warnings(stderr, progress, options.run().quiet(), options.filter().isAudited());
  }

  /** Runs to the end of the last file, or to a signal; the exit code. */
  int run() throws CliException {
    state = RunState.begin(options, disk, warnings);
    Signals signals = null;
    try {
      metrics = options.run().metricsPort() != null ? metrics() : null;
      if (options.guessesHeader() && !options.run().quiet()) {
        stderr.println(
            "unseen: the first row is taken for a header; use --no-header if it is a record");
      }
      Pipeline pipeline = new Pipeline(batches());
      signals = new Signals(pipeline, stderr);
      run(pipeline, signals);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // this thread is never interrupted
    } finally {
      state.close();
      if (metrics != null) {
        metrics.close();
      }
      if (signals != null) {
        signals.runHasEnded();
      }
    }
    return endedByDuplicate ? CliException.DUPLICATES : CliException.OK;
  }

  private void run(Pipeline pipeline, Signals signals) throws CliException, InterruptedException {
    OutputPlaces places = new OutputPlaces(stdout, disk, warnings::print);
    try (Outputs outputs = new Outputs(options, places)) {
      BatchWriter writer = new BatchWriter(pipeline, outputs);
      checkpoints = new Checkpoints(writer, outputs, state);
      signals.runBegins(checkpoints);
      PipelineThreads threads = new PipelineThreads(options, pipeline, writer);
      threads.start(Math.max(1, options.run().threads() - 1));
      Signals.hear("USR1", pipeline::askForSummary);
      boolean whole;
      try (progress) {
        whole = decideAll(pipeline, threads, writer);
      } finally {
        writer.flush(); // whatever ends it, what was let through is written
      }
      if (whole) {
        outputs.writeEnd(counts);
        checkpoints.end();
      } else if (!endedEarly()) { // else the gate has seen more than was written
        checkpoints.take();
      }
      if (endedByDuplicate && !options.run().quiet()) {
        stderr.printf(Locale.ROOT, "unseen: record %,d is a duplicate%n", counts.records());
      }
      if (options.run().summary()) {
        printSummary();
      }
      if (tooLate != null) {
        throw tooLate;
      }
    }
  }

  /** Returns whether a record has ended the run. */
  private boolean endedEarly() {
    return endedByDuplicate || tooLate != null;
  }

  private List<Batch> batches() throws CliException {
    Hash64 hash = state.gate().hash();
    int count = options.run().threads() == 1 ? 1 : BATCHES * options.run().threads();
    boolean timed = options.filter().hasEventTime();
    List<Hash64> former = state.gate().formerHashes();
    return Stream.generate(() -> new Batch(hash, former, RecordReader.READ_BYTES, timed))
        .limit(count)
        .toList();
  }

  /** True at the end of the input, false if something else ended it before. */
  private boolean decideAll(Pipeline pipeline, PipelineThreads threads, BatchWriter writer)
      throws CliException, InterruptedException {
    while (!pipeline.isStopped() && !endedEarly()) {
      Batch batch = pipeline.pollFull();
      if (batch == null && !threads.help()) {
        writer.flush(); // what has arrived is passed on while the input is slow
        batch = pipeline.takeFull(nanosUntilDue());
      }
      if (pipeline.takeSummaryRequest()) {
        printSummary();
      }
      if (batch != null) {
        decide(batch);
        long position = batch.position;
        pipeline.putDecided(batch);
        progress.at(position);
      } else if (pipeline.isOver()) {
        CliException.rethrow(pipeline.failure());
        return true;
      }
      publishIfDue();
      if (!endedEarly() && checkpoints.nanosUntilDue() <= 0) {
        checkpoints.take();
      }
    }
    return false;
  }

  /** Returns how long it may wait for a record. */
  private long nanosUntilDue() {
    long checkpoint = checkpoints.nanosUntilDue();
    return metrics != null && isStale ? Math.min(checkpoint, metrics.nanosUntilDue()) : checkpoint;
  }

  private void publishIfDue() {
    if (metrics != null && isStale && metrics.nanosUntilDue() <= 0) {
      metrics.publish(figures());
      isStale = false;
    }
  }

  private void decide(Batch batch) {
    Decisions decisions = batch.decisions;
    decisions.decide(batch, state.gate());
    if (options.outputs().selection() == Selection.REPEATED) {
      decisions.findRepeated(batch, state.gate());
    }
    if (options.run().failsOnDuplicate() && decisions.counts().duplicates > 0) {
      endedByDuplicate = decisions.endAtFirstDuplicate(batch);
    }
    if (options.filter().late() == LateRecords.FAIL) {
      failIfLate(batch, decisions);
    }
    counts.add(decisions.counts());
    isStale = true;
  }

  private void failIfLate(Batch batch, Decisions decisions) {
    int piece = decisions.endBeforeFirstLate(batch);
    if (piece >= 0) {
      endedByDuplicate = false; // it is after this record
      long line = 1 + batch.origin().linesDecided + batch.lines(piece);
      String place = "%s, line %d".formatted(batch.origin().name, line);
      tooLate = decisions.firstLate().failure(place, state.gate().spec().window());
    }
    batch.origin().linesDecided += batch.lines(batch.count());
  }

  private void printSummary() {
    double seconds = (System.nanoTime() - began) / 1e9;
    Report report = state.gate().report();
    Summary summary = new Summary(counts, seconds, report, options.filter().isAudited());
    progress.clear();
    stderr.println(options.run().json() ? summary.json() : summary.text(TerminalWidth.now()));
    warnings.print(report);
    stderr.flush();
  }

  private MetricsServer metrics() throws CliException {
    try {
      MetricsServer server = new MetricsServer(options.run().metricsPort());
      server.publish(figures());
      if (!options.run().quiet()) {
        stderr.println("unseen: metrics at http://localhost:%d/metrics".formatted(server.port()));
      }
      return server;
    } catch (IllegalArgumentException | IOException e) {
      throw CliException.of(e);
    }
  }

  private String figures() {
    return new PrometheusText()
        .buildInfo()
        .report(state.gate().report())
        .number(
            "unseen_read_bytes_total",
            Measure.Type.COUNTER,
            "Bytes read, after decompression",
            counts.bytes)
        .toString();
  }
}
