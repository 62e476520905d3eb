package dev.unseen.cli.dedup;

import dev.unseen.commands.ConsoleColors;
import dev.unseen.io.Source;
import java.io.File;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * Shows a progress bar on the terminal, with the speed, the share of the files and the time left.
 * The bar appears only if a run takes long, and only where it does not mix with records.
 */
final class Progress implements AutoCloseable {
  /** Set by the launcher if stdout is a terminal, which Java 17 cannot find out. */
  private static final String OUTPUT_IS_TERMINAL = "unseen.output.terminal";

  private static final String GREEN = "\u001B[32m";
  private static final long DELAY_NANOS = 500_000_000;

  private final PrintStream stderr;
  private final boolean wanted;
  private final List<String> files;
  private final long began = System.nanoTime();
  private ProgressBar bar; // null: not shown
  private Line line;

  Progress(DedupOptions options, PrintStream stderr) {
    this.stderr = stderr;
    boolean outputIsTerminal =
        Boolean.getBoolean(OUTPUT_IS_TERMINAL) && options.outputs().path() == null;
    wanted =
        Boolean.getBoolean(ConsoleColors.IS_TERMINAL)
            && !outputIsTerminal
            && options.run().progress();
    files = options.files();
  }

  /** Shows that this many bytes of the files were read. */
  void at(long position) {
    long elapsed = System.nanoTime() - began;
    if (wanted && bar == null && elapsed > DELAY_NANOS) {
      line = new Line(stderr);
      bar =
          new ProgressBarBuilder()
              .setInitialMax(size())
              .setUpdateIntervalMillis(200)
              .startsFrom(0, Duration.ofNanos(elapsed))
              .setRenderer(new ProgressLine(ConsoleColors.isWanted() ? GREEN : ""))
              .setConsumer(line)
              .clearDisplayOnFinish()
              .build();
    }
    if (bar != null) {
      bar.stepTo(position);
    }
  }

  /** Clears the line, so that a message can be printed there; the bar comes back soon. */
  void clear() {
    if (bar != null) {
      stderr.print("\r" + " ".repeat(line.getMaxRenderedLength()) + "\r");
    }
  }

  /** Returns the bytes of all files; -1 if they are not known. */
  private long size() {
    long sum = 0;
    for (String path : files) {
      File file = new File(path);
      if (path.equals(Source.STDIN) || !file.isFile()) {
        return -1;
      }
      sum += file.length();
    }
    return sum;
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  /** Fits the width of the terminal, and ends without the empty line that the library leaves. */
  private static final class Line extends ConsoleProgressBarConsumer {
    private final PrintStream out;
    private volatile int columns = TerminalWidth.measured();

    Line(PrintStream out) {
      super(out);
      this.out = out;
      Signals.hear("WINCH", () -> columns = TerminalWidth.measured());
    }

    @Override
    public int getMaxRenderedLength() {
      return Math.max(1, columns - 1); // a full line would wrap
    }

    @Override
    public void close() {
      out.flush();
    }
  }
}
