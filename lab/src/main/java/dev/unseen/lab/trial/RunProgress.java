package dev.unseen.lab.trial;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Prints the progress of long work, a line per finished run. On a terminal it is always the same
 * line, which is refreshed while they run. Several threads may call it.
 */
public final class RunProgress implements AutoCloseable {
  /** Set by the launcher if the error output is a terminal, which Java 17 cannot find out. */
  private static final String IS_TERMINAL = "unseen.terminal";

  private static final long REFRESH_NANOS = 250_000_000;

  private final PrintWriter err;
  private final boolean terminal = Boolean.getBoolean(IS_TERMINAL);
  private final long startedAt = System.nanoTime();
  private final LongAdder passed = new LongAdder();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicLong shownAt = new AtomicLong(startedAt);
  private int runs;
  private long records;

  public RunProgress(PrintWriter err) {
    this.err = err;
  }

  /**
   * Begins the work.
   *
   * @param runs the total number of runs
   * @param finished the number of runs that were finished before
   * @param records the number of records in the runs that are left
   */
  public void start(int runs, int finished, long records) {
    this.runs = runs;
    this.records = records;
    done.set(finished);
    if (finished > 0) {
      err.printf("%d of %d runs were finished already%n", finished, runs);
    }
  }

  /** Adds to the number of records that have passed. */
  public void records(long count) {
    passed.add(count);
    long last = shownAt.get();
    long now = System.nanoTime();
    if (terminal && now - last > REFRESH_NANOS && shownAt.compareAndSet(last, now)) {
      show("running");
    }
  }

  public void end(String run) {
    done.incrementAndGet();
    show(run);
  }

  private void show(String run) {
    double seconds = (System.nanoTime() - startedAt) / 1e9;
    double share = (double) passed.sum() / records;
    String line =
        String.format(
            Locale.ROOT,
            "%d of %d runs, %.0f %% of the records, %.1f M/s, %.0f s left: %s",
            done.get(),
            runs,
            100 * share,
            passed.sum() / seconds / 1e6,
            seconds * (1 - share) / share,
            run);
    err.print(terminal ? "\r" + line + "\u001b[K" : line + "\n");
    err.flush();
  }

  @Override
  public void close() {
    if (terminal && passed.sum() > 0) {
      err.println();
    }
  }
}
