package dev.unseen.lab;

import static dev.unseen.draw.Drawing.Anchor.END;
import static dev.unseen.draw.Drawing.Anchor.MIDDLE;
import static dev.unseen.draw.Drawing.Anchor.START;
import static dev.unseen.draw.Palette.BACKGROUND;
import static dev.unseen.draw.Palette.GRID;
import static dev.unseen.draw.Palette.INK;
import static dev.unseen.draw.Palette.MUTED;

import dev.unseen.draw.Drawing;
import dev.unseen.draw.Palette;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws the share of keys that are evicted early, by the memory per key. */
final class SizingPlot {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 520;
  private static final double LEFT = 118;
  private static final double RIGHT = WIDTH - 24.0;
  private static final double TOP = 118;
  private static final double BOTTOM = HEIGHT - 66.0;
  private static final int DECADES = 6; // below 1
  private static final double FIRST = 1.4;
  private static final double LAST = 4.6;
  private static final List<String> COLORS =
      List.of(Palette.GREEN, Palette.BLUE, Palette.VERMILION);
  private static final List<String> NAMES = List.of("1 in 100", "1 in 10,000", "1 in 1,000,000");

  private final Drawing drawing = new Drawing(WIDTH, HEIGHT);

  private SizingPlot() {}

  static Drawing of(List<SizingRun> runs) {
    SizingPlot plot = new SizingPlot();
    plot.head();
    plot.axes();
    for (int i = 0; i < SizingRun.RATES.size(); i++) {
      double rate = SizingRun.RATES.get(i);
      for (boolean window : new boolean[] {false, true}) {
        plot.curve(
            runs.stream().filter(run -> run.maxFpr() == rate && run.window() == window).toList(),
            COLORS.get(i),
            !window);
      }
    }
    return plot.drawing;
  }

  private void head() {
    drawing.add(new Drawing.Box(0, 0, WIDTH, HEIGHT, BACKGROUND));
    drawing.title(20, 32, "Keys that are evicted early", 20);
    drawing.text(20, 60, "a new record is dropped at most", 15, START, MUTED);
    double x = 330;
    for (int i = 0; i < NAMES.size(); i++) {
      drawing.line(x, 55, x + 22, 55, COLORS.get(i), 3);
      drawing.text(x + 28, 60, NAMES.get(i), 15, START, INK);
      x += i == 0 ? 114 : 140;
    }
    drawing.line(20, 83, 46, 83, INK, 2.2);
    drawing.text(54, 88, "with a window, in a steady stream", 15, START, INK);
    drawing.add(new Drawing.Line(List.of(330.0, 83.0, 356.0, 83.0), INK, 2.2, true));
    drawing.text(364, 88, "without a window, all keys once", 15, START, INK);
  }

  private void axes() {
    String[] shares = {
      "all", "1 in 10", "1 in 100", "1 in 1,000", "1 in 10,000", "1 in 100,000", "fewer"
    };
    for (int i = 0; i <= DECADES; i++) {
      double y = y(Math.pow(10, -i));
      drawing.line(LEFT, y, RIGHT, y, GRID, 1);
      drawing.text(LEFT - 8, y + 5, shares[i], 14, END, MUTED);
    }
    for (int tenth = 15; tenth <= 45; tenth += 5) {
      double x = x(tenth / 10.0);
      drawing.line(x, TOP, x, BOTTOM, GRID, 1);
      drawing.text(
          x, BOTTOM + 22, String.format(Locale.ROOT, "%.1f", tenth / 10.0), 14, MIDDLE, MUTED);
    }
    double promise = y(1 / 20_000.0);
    drawing.add(new Drawing.Line(List.of(LEFT, promise, RIGHT, promise), MUTED, 1.2, true));
    drawing.text(x(3.12), promise - 6, "1 in 20,000", 14, START, MUTED);
    drawing.text((LEFT + RIGHT) / 2, HEIGHT - 18.0, "bytes per key", 15, MIDDLE, INK);
  }

  private void curve(List<SizingRun> runs, String color, boolean dashed) {
    List<Double> points = new ArrayList<>();
    for (SizingRun run : runs) {
      points.addAll(List.of(x(run.bytesPerKey()), y(run.share())));
    }
    drawing.add(new Drawing.Line(points, color, 2.2, dashed));
    for (SizingRun run : runs) {
      String tooltip =
          String.format(
              Locale.ROOT,
              "%.2f bytes per key: %,d of %,d evicted early",
              run.bytesPerKey(),
              run.evicted(),
              run.keys());
      drawing.add(
          new Drawing.Dot(
              x(run.bytesPerKey()),
              y(run.share()),
              run.derived() ? 5 : 2.6,
              run.derived() ? color : BACKGROUND,
              color,
              tooltip));
    }
  }

  private static double x(double bytesPerKey) {
    return LEFT + (RIGHT - LEFT) * (bytesPerKey - FIRST) / (LAST - FIRST);
  }

  private static double y(double share) {
    double decades = -Math.log10(Math.max(share, Math.pow(10, -DECADES)));
    return TOP + (BOTTOM - TOP) * decades / DECADES;
  }
}
