package dev.unseen.cli.dedup;

import dev.unseen.text.Print;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBarRenderer;
import me.tongfei.progressbar.ProgressState;

/**
 * Draws the progress of a run in one line of a terminal: {@code unseen 45 % [===> ] 120 of 267 MB,
 * 24 MB/s, 0:06 left}. What does not fit is left out, so that the line never wraps.
 *
 * @param color the code that starts the color of the bar; empty for none
 */
record ProgressLine(String color) implements ProgressBarRenderer {
  private static final double MEGABYTE = 1e6;
  private static final double LEAST = 0.1; // megabytes
  private static final int SHORTEST_BAR = 8;
  private static final String PLAIN = "\u001B[0m";

  @Override
  public String render(ProgressState state, int columns) {
    double read = state.getCurrent() / MEGABYTE;
    double seconds = Math.max(1e-3, state.getTotalElapsed().toMillis() / 1e3);
    String speed = amount(read / seconds) + " MB/s";
    if (state.isIndefinite()) { // the library raises the maximum with what was read
      String spent = clock(seconds);
      return fitting(
          columns,
          tail("unseen ", amount(read) + " MB", speed, spent),
          tail("unseen ", amount(read) + " MB", spent),
          tail("unseen ", amount(read) + " MB"));
    }
    double share = Math.min(1, (double) state.getCurrent() / state.getMax());
    String left = clock(share == 0 ? 0 : seconds * (1 - share) / share) + " left";
    String ratio = "%s of %s MB".formatted(amount(read), amount(state.getMax() / MEGABYTE));
    String head = String.format(Locale.ROOT, "unseen %3.0f %%", Math.floor(100 * share));
    for (String tail :
        List.of(tail(" ", ratio, speed, left), tail(" ", speed, left), tail(" ", left), "")) {
      int bar = columns - head.length() - 3 - tail.length();
      if (bar >= SHORTEST_BAR) {
        return head + " [" + bar(share, bar) + "]" + tail;
      }
    }
    return fitting(columns, head);
  }

  private String bar(double share, int columns) {
    int done = (int) (share * columns);
    String drawn = "=".repeat(done) + (done < columns ? ">" : "");
    String padding = " ".repeat(columns - drawn.length());
    return (color.isEmpty() ? drawn : color + drawn + PLAIN) + padding;
  }

  private static String tail(String before, String... parts) {
    return Stream.of(parts).collect(Collectors.joining(", ", before, ""));
  }

  /** Returns the first text that fits, or a part of the last one, with blanks up to the width. */
  private static String fitting(int columns, String... texts) {
    String text = texts[texts.length - 1];
    for (int i = texts.length - 1; i >= 0; i--) {
      text = texts[i].length() <= columns ? texts[i] : text;
    }
    String whole = text + " ".repeat(Math.max(0, columns - text.length()));
    return whole.substring(0, Math.max(0, columns));
  }

  private static String amount(double megabytes) {
    return megabytes < LEAST ? "0" : Print.digits(megabytes, 2);
  }

  private static String clock(double seconds) {
    Duration time = Duration.ofSeconds((long) seconds);
    return time.toHours() > 0
        ? String.format(
            Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
        : String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
  }
}
