package dev.unseen.lab;

import static dev.unseen.draw.Palette.BACKGROUND;
import static dev.unseen.draw.Palette.GRID;
import static dev.unseen.draw.Palette.INK;
import static dev.unseen.draw.Palette.MUTED;

import dev.unseen.draw.Drawing;
import dev.unseen.draw.Palette;
import dev.unseen.filter.FilterKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the paper's X, the model's X and the measured X along a stream of new keys, with one panel
 * per kind.
 */
final class TheoryPlot {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 420;
  private static final double LEFT = 70;
  private static final double TOP = 96;
  private static final double BOTTOM = HEIGHT - 66.0;
  private static final double PANEL = 270;
  private static final double GAP = 28;
  private static final String PAPER = Palette.VERMILION;
  private static final String MODEL = Palette.BLUE;

  private final Drawing drawing = new Drawing(WIDTH, HEIGHT);
  private final double first;
  private final double last;

  private TheoryPlot(double first, double last) {
    this.first = first;
    this.last = last;
  }

  static Drawing of(List<TheoryCommand.Row> rows) {
    double first = rows.stream().mapToDouble(TheoryCommand.Row::recordsPerBit).min().orElseThrow();
    double last = rows.stream().mapToDouble(TheoryCommand.Row::recordsPerBit).max().orElseThrow();
    TheoryPlot plot = new TheoryPlot(first, last);
    plot.head();
    List<FilterKind> kinds = rows.stream().map(TheoryCommand.Row::kind).distinct().toList();
    for (int i = 0; i < kinds.size(); i++) {
      FilterKind kind = kinds.get(i);
      plot.panel(
          LEFT + i * (PANEL + GAP),
          rows.stream().filter(row -> row.kind() == kind).toList(),
          i == 0);
    }
    return plot.drawing;
  }

  private void head() {
    drawing.add(new Drawing.Box(0, 0, WIDTH, HEIGHT, BACKGROUND));
    drawing.add(
        new Drawing.Text(
            LEFT,
            32,
            "The chance that all bits of a new record are set, on a stream of new records",
            18,
            Drawing.Anchor.START,
            INK,
            true,
            false));
    double x = LEFT;
    drawing.add(new Drawing.Line(List.of(x, 52.0, x + 26, 52.0), PAPER, 2, true));
    drawing.text(x + 32, 56, "the paper's X", 13, Drawing.Anchor.START, PAPER);
    drawing.add(new Drawing.Line(List.of(x + 150, 52.0, x + 176, 52.0), MODEL, 2, false));
    drawing.text(x + 182, 56, "our model", 13, Drawing.Anchor.START, MODEL);
    drawing.add(new Drawing.Dot(x + 286, 52, 3.2, BACKGROUND, INK, "measured"));
    drawing.text(
        x + 298,
        56,
        "measured: the load of the filter, to the power k",
        13,
        Drawing.Anchor.START,
        INK);
    drawing.text(
        WIDTH / 2.0,
        HEIGHT - 18.0,
        "records so far, for each bit of a bank",
        13,
        Drawing.Anchor.MIDDLE,
        INK);
  }

  private void panel(double left, List<TheoryCommand.Row> rows, boolean labelled) {
    drawing.add(
        new Drawing.Text(
            left,
            TOP - 14,
            rows.get(0).kind().id() + ", k=2",
            14,
            Drawing.Anchor.START,
            INK,
            true,
            false));
    for (int percent = 0; percent <= 100; percent += 20) {
      double y = y(percent / 100.0);
      drawing.line(left, y, left + PANEL, y, GRID, 1);
      if (labelled) {
        drawing.text(left - 8, y + 4, percent + " %", 12, Drawing.Anchor.END, MUTED);
      }
    }
    for (double t = 0.1; t <= last * 1.01; t *= 10) {
      double x = x(left, t);
      drawing.line(x, TOP, x, BOTTOM, GRID, 1);
      String words = t < 0.99 ? "0.1" : Long.toString(Math.round(t));
      drawing.text(x, BOTTOM + 18, words, 12, Drawing.Anchor.MIDDLE, MUTED);
    }
    List<Double> paper = new ArrayList<>();
    List<Double> model = new ArrayList<>();
    for (TheoryCommand.Row row : rows) {
      double x = x(left, row.recordsPerBit());
      paper.addAll(List.of(x, y(row.paper())));
      model.addAll(List.of(x, y(row.model())));
    }
    drawing.add(new Drawing.Line(paper, PAPER, 2, true));
    drawing.add(new Drawing.Line(model, MODEL, 2, false));
    for (TheoryCommand.Row row : rows) {
      drawing.add(
          new Drawing.Dot(
              x(left, row.recordsPerBit()), y(row.measured()), 3.2, BACKGROUND, INK, "measured"));
    }
  }

  private double x(double left, double recordsPerBit) {
    return left + PANEL * Math.log(recordsPerBit / first) / Math.log(last / first);
  }

  private static double y(double share) {
    return BOTTOM + share * (TOP - BOTTOM);
  }
}
