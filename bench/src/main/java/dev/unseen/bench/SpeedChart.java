package dev.unseen.bench;

import dev.unseen.lab.draw.Drawing;
import java.util.Locale;

/** A bar for each contestant of a scenario. */
final class SpeedChart {
  static final String TITLE = "Million records a second";

  private static final int WIDTH = 960;
  private static final double ROW = 26;
  private static final double TOP = 84;
  private static final double LEFT = 250;
  private static final double RIGHT = WIDTH - 190.0;
  private static final String INK = "#222222";
  private static final String MUTED = "#666666";
  private static final String GRID = "#e4e4e4";

  private SpeedChart() {}

  static Drawing of(Ranking ranking) {
    int rows = ranking.results().size();
    int height = (int) (TOP + rows * ROW + 40);
    Drawing drawing = new Drawing(WIDTH, height);
    drawing.add(new Drawing.Box(0, 0, WIDTH, height, "#ffffff"));
    drawing.add(new Drawing.Text(20, 32, TITLE, 18, Drawing.Anchor.START, INK, true, false));
    drawing.text(
        20, 54, ranking.results().get(0).scenario().describe(), 13, Drawing.Anchor.START, MUTED);
    double top = ranking.results().stream().mapToDouble(Result::mops).max().orElse(1);
    double step = niceStep(top / 5);
    double scale = (RIGHT - LEFT) / top;
    for (double tick = 0; tick <= top; tick += step) {
      double x = LEFT + tick * scale;
      drawing.line(x, TOP - 6, x, TOP + rows * ROW, GRID, 1);
      drawing.text(
          x, TOP + rows * ROW + 18, number("%.0f", tick), 12, Drawing.Anchor.MIDDLE, MUTED);
    }
    for (int i = 0; i < rows; i++) {
      bar(drawing, ranking, ranking.results().get(i), TOP + i * ROW, scale);
    }
    return drawing;
  }

  private static void bar(Drawing drawing, Ranking ranking, Result result, double y, double scale) {
    double end = LEFT + result.mops() * scale;
    drawing.text(LEFT - 10, y + 15, result.name(), 13, Drawing.Anchor.END, INK);
    drawing.add(new Drawing.Box(LEFT, y + 3, end - LEFT, ROW - 8, color(result.role())));
    drawing.text(end + 6, y + 15, caption(ranking, result), 12, Drawing.Anchor.START, MUTED);
  }

  private static String caption(Ranking ranking, Result result) {
    String speed = number("%.1f", result.mops());
    double limit = ranking.vsLimit(result);
    return result.role() == Role.OURS && !Double.isNaN(limit)
        ? speed + number(", %.2f of its limit", limit)
        : speed;
  }

  private static String color(Role role) {
    return switch (role) {
      case OURS -> "#0072b2";
      case APPROXIMATE_PEER -> "#d55e00";
      case EXACT_PEER -> "#e69f00";
      case LIMIT -> "#999999";
    };
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
