package dev.unseen.cli.plan;

import static dev.unseen.draw.Palette.BACKGROUND;
import static dev.unseen.draw.Palette.GRID;
import static dev.unseen.draw.Palette.INK;
import static dev.unseen.draw.Palette.MUTED;

import dev.unseen.draw.Drawing;
import dev.unseen.draw.Palette;
import dev.unseen.filter.FilterKind;
import dev.unseen.plan.BoundCurve;
import dev.unseen.plan.Plan;
import dev.unseen.plan.PlanOption;
import dev.unseen.text.Print;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * FNR against FPR, both logarithmic, a line for each kind through its k: what is further down and
 * to the left is better. Zero has a place of its own beside the axis.
 */
final class PlanPlot {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 640;
  private static final double LEFT = 92;
  private static final double RIGHT = WIDTH - 30.0;
  private static final double TOP = 84;
  private static final double BOTTOM = HEIGHT - 72.0;

  private static final String FORBIDDEN = "#8a8a8a";
  private static final String WISH = "#eaf4ee";

  private static final List<String> COLORS =
      List.of(
          Palette.SKY_BLUE,
          Palette.ORANGE,
          Palette.PURPLE,
          Palette.GREEN,
          Palette.BLUE,
          Palette.VERMILION,
          INK,
          "#7a4fbf",
          "#8c6d31");

  private final Plan plan;
  private final String stream;
  private final Drawing drawing = new Drawing(WIDTH, HEIGHT);
  private final List<BoundCurve.Point> bound;
  private final RateAxis x;
  private final RateAxis y;

  PlanPlot(Plan plan, String stream) {
    this.plan = plan;
    this.stream = stream;
    this.bound = plan.bound().map(curve -> curve.points(60)).orElse(List.of());
    this.x = new RateAxis(LEFT + 14, RIGHT - 10, 64, rates(true));
    this.y = new RateAxis(BOTTOM - 14, TOP + 10, 30, rates(false));
  }

  private DoubleStream rates(boolean fpr) {
    DoubleStream options =
        plan.options().stream().mapToDouble(o -> fpr ? o.prediction().fpr() : o.prediction().fnr());
    DoubleStream least =
        bound.stream()
            .filter(p -> p.fpr() >= 1e-6 && (p.fnr() > 1e-4 || p.fnr() == 0))
            .mapToDouble(p -> fpr ? p.fpr() : p.fnr());
    return DoubleStream.concat(options, least);
  }

  Plan plan() {
    return plan;
  }

  String title() {
    return "What %s can do: %s".formatted(Print.bytes(plan.memoryBytes()), stream);
  }

  /** Draws the whole picture. */
  Drawing draw() {
    if (drawing.shapes().isEmpty()) {
      drawing.add(new Drawing.Box(0, 0, WIDTH, HEIGHT, BACKGROUND));
      frame();
      drawBound();
      List<Rectangle2D> taken = new ArrayList<>();
      for (PlanOption option : plan.options()) {
        taken.add(new Rectangle2D.Double(xOf(option) - 5, yOf(option) - 5, 10, 10));
      }
      for (FilterKind kind : FilterKind.values()) {
        take(kind, taken);
      }
      markBest(taken);
      for (FilterKind kind : FilterKind.values()) {
        drawKind(kind);
      }
      for (FilterKind kind : FilterKind.values()) {
        label(kind, taken);
      }
    }
    return drawing;
  }

  private void frame() {
    if (plan.limits().maxFpr() < 1 || plan.limits().maxFnr() < 1) {
      double right = plan.limits().maxFpr() < 1 ? x.at(plan.limits().maxFpr()) : RIGHT;
      double top = plan.limits().maxFnr() < 1 ? y.at(plan.limits().maxFnr()) : TOP;
      drawing.add(new Drawing.Box(LEFT, top, right - LEFT, BOTTOM - top, WISH));
      drawing.text(LEFT + 8, top + 30, "within the limits", 12, Drawing.Anchor.START, "#2f6b4a");
    }
    for (int power = x.lowestPower(); power <= 0; power++) {
      double at = x.at(Math.pow(10, power));
      drawing.line(at, TOP, at, BOTTOM, GRID, 1);
      drawing.text(at, BOTTOM + 20, RateAxis.label(power), 12, Drawing.Anchor.MIDDLE, MUTED);
    }
    for (int power = y.lowestPower(); power <= 0; power++) {
      double at = y.at(Math.pow(10, power));
      drawing.line(LEFT, at, RIGHT, at, GRID, 1);
      drawing.text(LEFT - 8, at + 4, RateAxis.label(power), 12, Drawing.Anchor.END, MUTED);
    }
    if (x.hasZero()) {
      drawing.text(x.at(0), BOTTOM + 20, x.zeroLabel(), 12, Drawing.Anchor.MIDDLE, MUTED);
    }
    if (y.hasZero()) {
      drawing.line(LEFT, y.at(0), RIGHT, y.at(0), GRID, 1);
      drawing.text(LEFT - 8, y.at(0) + 4, y.zeroLabel(), 12, Drawing.Anchor.END, MUTED);
    }
    drawing.line(LEFT, BOTTOM, RIGHT, BOTTOM, MUTED, 1);
    drawing.line(LEFT, TOP, LEFT, BOTTOM, MUTED, 1);
    drawing.add(
        new Drawing.Text(
            LEFT,
            34,
            "What " + Print.bytes(plan.memoryBytes()) + " can do",
            20,
            Drawing.Anchor.START,
            INK,
            true,
            false));
    drawing.text(LEFT, 58, stream, 14, Drawing.Anchor.START, MUTED);
    drawing.text(
        RIGHT,
        34,
        "a dot for each k, filled for the kind's usual one",
        12,
        Drawing.Anchor.END,
        MUTED);
    drawing.text(
        (LEFT + RIGHT) / 2,
        HEIGHT - 20.0,
        "FPR: the share of new records that are dropped",
        14,
        Drawing.Anchor.MIDDLE,
        INK);
    drawing.add(
        new Drawing.Text(
            24,
            (TOP + BOTTOM) / 2,
            "FNR: the share of duplicates that pass",
            14,
            Drawing.Anchor.MIDDLE,
            INK,
            false,
            true));
  }

  private void drawBound() {
    List<Double> points = new ArrayList<>();
    for (BoundCurve.Point p : bound) {
      boolean onAxes = p.fnr() == 0 || p.fnr() >= Math.pow(10, y.lowestPower());
      if (onAxes && p.fpr() >= Math.pow(10, x.lowestPower())) {
        points.add(x.at(p.fpr()));
        points.add(y.at(p.fnr()));
      }
    }
    if (points.size() < 4) {
      return;
    }
    drawing.add(new Drawing.Line(points, FORBIDDEN, 1.8, true));
    int n = points.size();
    drawing.text(
        points.get(n - 2) - 8,
        points.get(n - 1) - 8,
        "information bound: no structure is to the left of it",
        12,
        points.get(n - 2) > LEFT + 290 ? Drawing.Anchor.END : Drawing.Anchor.START,
        FORBIDDEN);
  }

  private void drawKind(FilterKind kind) {
    List<PlanOption> options = optionsOf(kind);
    String color = color(kind);
    List<Double> points = new ArrayList<>();
    for (PlanOption option : options) {
      points.add(xOf(option));
      points.add(yOf(option));
    }
    if (options.size() > 1) {
      drawing.add(new Drawing.Line(points, color, 1.6, false));
    }
    for (PlanOption option : options) {
      boolean usual = option.spec().hashes() == kind.defaultHashes();
      drawing.add(
          new Drawing.Dot(
              xOf(option),
              yOf(option),
              usual ? 4.5 : 3,
              usual ? color : BACKGROUND,
              color,
              "%s: FPR %s, FNR %s"
                  .formatted(
                      option.spec().describe(),
                      Print.percent(option.prediction().fpr()),
                      Print.percent(option.prediction().fnr()))));
    }
  }

  private void markBest(List<Rectangle2D> taken) {
    PlanOption best = plan.recommendation().option();
    drawing.add(new Drawing.Dot(xOf(best), yOf(best), 9, "#fff3b0", INK, "recommended"));
    taken.add(new Rectangle2D.Double(xOf(best) - 10, yOf(best) - 10, 20, 20));
    String words =
        "%s: %s k=%d"
            .formatted(
                plan.refusal().isPresent() ? "nearest" : "recommended",
                best.spec().kind().id(),
                best.spec().hashes());
    place(words, xOf(best), yOf(best), 12, INK, taken, 14);
  }

  /** Writes the name beside the point of its line where it covers least. */
  private void label(FilterKind kind, List<Rectangle2D> taken) {
    double leastCost = Double.POSITIVE_INFINITY;
    Spot least = null;
    for (PlanOption option : optionsOf(kind)) {
      boolean usual = option.spec().hashes() == kind.defaultHashes();
      for (Spot spot : spots(kind.id(), xOf(option), yOf(option), 13, 9)) {
        double cost = cost(spot.box(), taken) + (usual ? 0 : 45);
        if (cost < leastCost) {
          leastCost = cost;
          least = spot;
        }
      }
    }
    if (least != null) {
      draw(least, 13, color(kind), true, taken);
    }
  }

  /** Small boxes along a line, so that no name is put on it. */
  private void take(FilterKind kind, List<Rectangle2D> taken) {
    List<PlanOption> options = optionsOf(kind);
    for (int i = 1; i < options.size(); i++) {
      double x0 = xOf(options.get(i - 1));
      double y0 = yOf(options.get(i - 1));
      double dx = xOf(options.get(i)) - x0;
      double dy = yOf(options.get(i)) - y0;
      int steps = (int) (Math.hypot(dx, dy) / 8);
      for (int j = 1; j < steps; j++) {
        double x = x0 + dx * j / steps;
        double y = y0 + dy * j / steps;
        taken.add(new Rectangle2D.Double(x - 2, y - 2, 4, 4));
      }
    }
  }

  private void place(
      String words,
      double px,
      double py,
      double size,
      String color,
      List<Rectangle2D> taken,
      double away) {
    Spot best =
        spots(words, px, py, size, away).stream()
            .min(Comparator.comparingDouble(spot -> cost(spot.box(), taken)))
            .orElseThrow();
    draw(best, size, color, false, taken);
  }

  private record Spot(String words, Rectangle2D box) {}

  private static List<Spot> spots(String words, double px, double py, double size, double away) {
    double width = 0.6 * size * words.length();
    List<Spot> spots = new ArrayList<>();
    for (int row = -2; row <= 2; row++) {
      double y = py - size / 2 + row * (size + 2);
      double shift = Math.abs(row) == 2 ? 0 : away;
      spots.add(new Spot(words, new Rectangle2D.Double(px + shift, y, width, size)));
      spots.add(new Spot(words, new Rectangle2D.Double(px - shift - width, y, width, size)));
    }
    return spots;
  }

  private double cost(Rectangle2D box, List<Rectangle2D> taken) {
    double cost = 0;
    for (Rectangle2D other : taken) {
      Rectangle2D common = box.createIntersection(other);
      if (!common.isEmpty()) {
        cost += 40 + common.getWidth() * common.getHeight();
      }
    }
    boolean inside =
        box.getMinX() > LEFT
            && box.getMaxX() < RIGHT
            && box.getMinY() > TOP
            && box.getMaxY() < BOTTOM;
    return cost + (inside ? 0 : 5000);
  }

  private void draw(Spot spot, double size, String color, boolean bold, List<Rectangle2D> taken) {
    taken.add(spot.box());
    drawing.add(
        new Drawing.Text(
            spot.box().getMinX(),
            spot.box().getMaxY() - 0.15 * size,
            spot.words(),
            size,
            Drawing.Anchor.START,
            color,
            bold,
            false));
  }

  private List<PlanOption> optionsOf(FilterKind kind) {
    return plan.options().stream()
        .filter(option -> option.spec().kind() == kind)
        .sorted(Comparator.comparingInt(option -> option.spec().hashes()))
        .toList();
  }

  private static String color(FilterKind kind) {
    return COLORS.get((kind.wireId() - 1) % COLORS.size());
  }

  private double xOf(PlanOption option) {
    return x.at(option.prediction().fpr());
  }

  private double yOf(PlanOption option) {
    return y.at(option.prediction().fnr());
  }
}
