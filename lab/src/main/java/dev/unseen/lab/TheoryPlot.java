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
import dev.unseen.lab.paper.NewKeys;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the paper's X, the model's X and the measured X along a stream of new keys, with one panel
 * per filter, two in a row.
 */
final class TheoryPlot {
  private static final int WIDTH = 720;
  private static final int LEFT = 56;
  private static final int TOP = 116;
  private static final double PANEL_WIDTH = 288;
  private static final double PANEL_HEIGHT = 200;
  private static final int COLUMN = 350;
  private static final int ROW = 276;
  private static final String PAPER = Palette.VERMILION;
  private static final String MODEL = Palette.BLUE;

  private final Drawing drawing;
  private final double first;
  private final double last;

  private TheoryPlot(List<NewKeys.Point> points, int panels) {
    this.drawing = new Drawing(WIDTH, TOP + ROW * ((panels + 1) / 2));
    this.first = points.get(0).recordsPerBit();
    this.last = points.get(points.size() - 1).recordsPerBit();
  }

  static Drawing of(List<NewKeys.Point> points) {
    List<String> filters = points.stream().map(NewKeys.Point::filter).distinct().toList();
    TheoryPlot plot = new TheoryPlot(points, filters.size());
    plot.head();
    for (int i = 0; i < filters.size(); i++) {
      String filter = filters.get(i);
      plot.panel(
          LEFT + COLUMN * (i % 2),
          TOP + ROW * (i / 2),
          points.stream().filter(point -> point.filter().equals(filter)).toList());
    }
    return plot.drawing;
  }

  private void head() {
    drawing.add(new Drawing.Box(0, 0, WIDTH, drawing.height(), BACKGROUND));
    drawing.title(20, 30, "X on a stream of new records: the chance that all bits are set", 16);
    drawing.add(new Drawing.Line(List.of(20.0, 54.0, 46.0, 54.0), PAPER, 2, true));
    drawing.text(52, 58, "the paper's recurrence", 14, START, PAPER);
    drawing.add(new Drawing.Line(List.of(226.0, 54.0, 252.0, 54.0), MODEL, 2, false));
    drawing.text(258, 58, "our model", 14, START, MODEL);
    dot(350, 54);
    drawing.text(362, 58, "measured: the load to the power k", 14, START, INK);
  }

  private void panel(double left, double top, List<NewKeys.Point> points) {
    double bottom = top + PANEL_HEIGHT;
    drawing.title(left, top - 14, points.get(0).filter() + ", k=2", 14);
    for (int percent = 0; percent <= 100; percent += 20) {
      double y = y(top, percent / 100.0);
      drawing.line(left, y, left + PANEL_WIDTH, y, GRID, 1);
      drawing.text(left - 6, y + 4, percent + " %", 12, END, MUTED);
    }
    for (double t = 0.1; t <= last * 1.01; t *= 10) {
      double x = x(left, t);
      drawing.line(x, top, x, bottom, GRID, 1);
      String words = t < 0.99 ? "0.1" : Long.toString(Math.round(t));
      drawing.text(x, bottom + 16, words, 12, MIDDLE, MUTED);
    }
    drawing.text(
        left + PANEL_WIDTH / 2, bottom + 34, "records per bit of a bank", 12, MIDDLE, MUTED);
    List<Double> paper = new ArrayList<>();
    List<Double> model = new ArrayList<>();
    for (NewKeys.Point point : points) {
      double x = x(left, point.recordsPerBit());
      paper.addAll(List.of(x, y(top, point.paper())));
      model.addAll(List.of(x, y(top, point.model())));
    }
    drawing.add(new Drawing.Line(paper, PAPER, 2, true));
    drawing.add(new Drawing.Line(model, MODEL, 2, false));
    points.forEach(point -> dot(x(left, point.recordsPerBit()), y(top, point.measured())));
  }

  private void dot(double x, double y) {
    drawing.add(new Drawing.Dot(x, y, 3, BACKGROUND, INK, "measured"));
  }

  private double x(double left, double recordsPerBit) {
    return left + PANEL_WIDTH * Math.log(recordsPerBit / first) / Math.log(last / first);
  }

  private static double y(double top, double share) {
    return top + PANEL_HEIGHT * (1 - share);
  }
}
