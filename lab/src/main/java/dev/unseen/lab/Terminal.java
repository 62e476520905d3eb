package dev.unseen.lab;

import dev.unseen.lab.trial.RunProgress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows the progress of long work: a bar on a terminal, plain lines elsewhere. */
final class Terminal {
  /** Set by the launcher if the error output is a terminal, which Java 17 cannot find out. */
  private static final String IS_TERMINAL = "unseen.terminal";

  private Terminal() {}

  static RunProgress progress(PrintWriter err) {
    return Boolean.getBoolean(IS_TERMINAL) ? new Bar() : new Lines(err);
  }

  /** A bar with the rate and the time left. */
  private static final class Bar implements RunProgress {
    private ProgressBar bar;

    @Override
    public void start(int runs, int finished, long records) {
      bar =
          new ProgressBarBuilder()
              .setTaskName("%d runs".formatted(runs - finished))
              .setInitialMax(records)
              .setUnit(" M records", 1_000_000)
              .setStyle(ProgressBarStyle.UNICODE_BLOCK)
              .setUpdateIntervalMillis(250)
              .showSpeed()
              .clearDisplayOnFinish()
              .build();
    }

    @Override
    public void begin(String run) {
      bar.setExtraMessage("  " + run);
    }

    @Override
    public void records(long count) {
      bar.stepBy(count);
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
      }
    }
  }

  /** A line per finished run. */
  private static final class Lines implements RunProgress {
    private final PrintWriter err;
    private final LongAdder passed = new LongAdder();
    private final AtomicInteger done = new AtomicInteger();
    private final long start = System.nanoTime();
    private int runs;
    private long records;

    Lines(PrintWriter err) {
      this.err = err;
    }

    @Override
    public void start(int runs, int finished, long records) {
      this.runs = runs;
      this.records = records;
      done.set(finished);
      if (finished > 0) {
        err.printf("%d of %d runs were finished already%n", finished, runs);
      }
    }

    @Override
    public void records(long count) {
      passed.add(count);
    }

    @Override
    public void end(String run) {
      double seconds = (System.nanoTime() - start) / 1e9;
      double share = (double) passed.sum() / records;
      err.printf(
          Locale.ROOT,
          "%d of %d runs, %.0f %% of the records, %.1f M/s, %.0f s left: %s%n",
          done.incrementAndGet(),
          runs,
          100 * share,
          passed.sum() / seconds / 1e6,
          seconds * (1 - share) / share,
          run);
      err.flush();
    }
  }
}
