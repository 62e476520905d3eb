package dev.unseen.bench;

import static dev.unseen.draw.Palette.BACKGROUND;
import static dev.unseen.draw.Palette.GRID;
import static dev.unseen.draw.Palette.INK;
import static dev.unseen.draw.Palette.MUTED;

import dev.unseen.draw.Drawing;
import dev.unseen.draw.Palette;
import java.util.List;
import java.util.Locale;

/** Draws a panel for each scenario, in two columns, with a bar for each contestant. */
final class SpeedChart {
  static final String TITLE = "Million records a second";

  private static final double PANEL = 720;
  private static final double ROW = 22;
  private static final double TOP = 84; // of the first panel
  private static final double HEAD = 34; // of a panel, above its bars
  private static final double FOOT = 52; // of a panel, below them
  private static final double LEFT = 230; // of the bars in a panel
  private static final double RIGHT = PANEL - 150;

  private final Drawing drawing;

  private SpeedChart(Drawing drawing) {
    this.drawing = drawing;
  }

  static Drawing of(List<Ranking> rankings) {
    int columns = Math.min(2, rankings.size());
    double height = TOP;
    for (int i = 0; i < rankings.size(); i += columns) {
      height += rowHeight(rankings, i, columns);
    }
    int width = (int) (columns * PANEL);
    SpeedChart chart = new SpeedChart(new Drawing(width, (int) height));
    chart.drawing.add(new Drawing.Box(0, 0, width, (int) height, BACKGROUND));
    chart.heading();
    double y = TOP;
    for (int i = 0; i < rankings.size(); i += columns) {
      for (int column = 0; column < Math.min(columns, rankings.size() - i); column++) {
        chart.panel(rankings.get(i + column), column * PANEL, y);
      }
      y += rowHeight(rankings, i, columns);
    }
    return chart.drawing;
  }

  /** Returns the height of a row of panels, which is that of the tallest panel. */
  private static double rowHeight(List<Ranking> rankings, int from, int columns) {
    int bars = 0;
    for (int i = from; i < Math.min(from + columns, rankings.size()); i++) {
      bars = Math.max(bars, rankings.get(i).results().size());
    }
    return HEAD + bars * ROW + FOOT;
  }

  private void heading() {
    drawing.add(new Drawing.Text(20, 32, TITLE, 18, Drawing.Anchor.START, INK, true, false));
    double x = 20;
    for (EntryRole role : EntryRole.values()) {
      drawing.add(new Drawing.Box(x, 47, 12, 12, color(role)));
      drawing.text(x + 18, 58, label(role), 13, Drawing.Anchor.START, MUTED);
      x += 40 + 6.6 * label(role).length();
    }
  }

  private void panel(Ranking ranking, double left, double top) {
    List<Result> results = ranking.results();
    String about = results.get(0).scenario().describe();
    drawing.add(
        new Drawing.Text(left + 20, top + 14, about, 13, Drawing.Anchor.START, INK, true, false));
    double bars = top + HEAD;
    double bottom = bars + results.size() * ROW;
    double most = results.stream().mapToDouble(Result::mops).max().orElse(1);
    double scale = (RIGHT - LEFT) / most;
    double step = niceStep(most / 5);
    for (double tick = 0; tick <= most; tick += step) {
      double x = left + LEFT + tick * scale;
      drawing.line(x, bars - 6, x, bottom, GRID, 1);
      drawing.text(x, bottom + 16, tick(tick, step), 12, Drawing.Anchor.MIDDLE, MUTED);
    }
    for (int i = 0; i < results.size(); i++) {
      bar(ranking, results.get(i), left + LEFT, bars + i * ROW, scale);
    }
  }

  private void bar(Ranking ranking, Result result, double x, double y, double scale) {
    double length = result.mops() * scale;
    drawing.text(x - 10, y + 14, result.name(), 13, Drawing.Anchor.END, INK);
    drawing.add(new Drawing.Box(x, y + 3, length, ROW - 7, color(result.role())));
    drawing.text(x + length + 6, y + 14, caption(ranking, result), 12, Drawing.Anchor.START, MUTED);
  }

  private static String caption(Ranking ranking, Result result) {
    String speed = number(result.mops() < 1 ? "%.2f" : "%.1f", result.mops());
    double limit = ranking.vsLimit(result);
    return result.role() == EntryRole.OURS && !Double.isNaN(limit)
        ? speed + number(", %.2f of its limit", limit)
        : speed;
  }

  private static String color(EntryRole role) {
    return switch (role) {
      case OURS -> Palette.BLUE;
      case APPROXIMATE_PEER -> Palette.VERMILION;
      case EXACT_PEER -> Palette.ORANGE;
      case LIMIT -> "#999999";
      case PLAIN_LOOP -> "#cccccc";
    };
  }

  private static String label(EntryRole role) {
    return switch (role) {
      case OURS -> "ours";
      case APPROXIMATE_PEER -> "approximate peers";
      case EXACT_PEER -> "exact peers, which hold far fewer keys";
      case LIMIT -> "what the memory can give";
      case PLAIN_LOOP -> "what it gives record by record";
    };
  }

  private static String tick(double value, double step) {
    return number(step < 1 ? "%.1f" : "%.0f", value);
  }

  private static double niceStep(double rough) {
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double digit = rough / power;
    return power * (digit > 5 ? 10 : digit > 2 ? 5 : digit > 1 ? 2 : 1);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
