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
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * FNR against FPR, both logarithmic, a line for each kind through its settings: what is further
 * down and to the left is better. Zero has its own place next to the axis.
 */
final class PlanPlot {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 640;
  private static final double LEFT = 92;
  private static final double RIGHT = WIDTH - 30.0;
  private static final double TOP = 84;
  private static final double BOTTOM = HEIGHT - 72.0;

  private static final double UNUSUAL = 45; // what it costs to name a point that is not usual

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
  private final FreePlaces places =
      new FreePlaces(new Rectangle2D.Double(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP));
  private final List<BoundCurve.Point> bound;
  private final RateAxis x;
  private final RateAxis y;

  PlanPlot(Plan plan, String stream) {
    this.plan = plan;
    this.stream = stream;
    this.bound = plan.bound().map(curve -> curve.points(60)).orElse(List.of());
    this.x = new RateAxis(LEFT + 14, RIGHT - 10, 64, rates(true));
    this.y = new RateAxis(BOTTOM - 34, TOP + 10, 30, rates(false));
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
      List<List<FilterKind>> lines = linesOfKinds();
      lines.forEach(kinds -> take(optionsOf(kinds.get(0))));
      markBest();
      lines.forEach(kinds -> drawKind(kinds.get(0)));
      lines.forEach(this::label);
    }
    return drawing;
  }

  /** Takes the points and lines of a kind, so that no words are put on them. */
  private void take(List<PlanOption> options) {
    for (int i = 0; i < options.size(); i++) {
      Point2D point = pointOf(options.get(i));
      places.take(point, 10);
      if (i > 0) {
        places.take(pointOf(options.get(i - 1)), point);
      }
    }
  }

  private void frame() {
    if (plan.limits().maxFpr() < 1 || plan.limits().maxFnr() < 1) {
      double right = plan.limits().maxFpr() < 1 ? x.at(plan.limits().maxFpr()) : RIGHT;
      double top = plan.limits().maxFnr() < 1 ? y.at(plan.limits().maxFnr()) : TOP;
      drawing.add(new Drawing.Box(LEFT, top, right - LEFT, BOTTOM - top, WISH));
      double base = BOTTOM - 54; // above the points that never let a duplicate through
      drawing.text(LEFT + 8, base, "within the limits", 12, Drawing.Anchor.START, "#2f6b4a");
      places.take(LEFT + 8, base - 12, 110, 15);
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
        "a dot for each setting that none of its kind beats, filled for the usual one",
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
    String words = "information bound: no structure is to the left of it";
    double end = points.get(points.size() - 2);
    double base = points.get(points.size() - 1) - 8;
    double width = FreePlaces.width(words, 12, false);
    double start = end - 8 - width > LEFT ? end - 8 - width : end + 8;
    places.take(start, base - 12, width, 15);
    drawing.text(
        start < end ? end - 8 : start,
        base,
        words,
        12,
        start < end ? Drawing.Anchor.END : Drawing.Anchor.START,
        FORBIDDEN);
  }

  /** Returns the kinds in groups: those of a group have the same rates, so one line shows them. */
  private List<List<FilterKind>> linesOfKinds() {
    Map<List<Double>, List<FilterKind>> byPlaces = new LinkedHashMap<>();
    for (FilterKind kind : FilterKind.values()) {
      List<Double> places = new ArrayList<>();
      for (PlanOption option : optionsOf(kind)) {
        places.add(xOf(option));
        places.add(yOf(option));
      }
      byPlaces.computeIfAbsent(places, any -> new ArrayList<>()).add(kind);
    }
    return List.copyOf(byPlaces.values());
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
                      Print.rate(option.prediction().fpr()),
                      Print.rate(option.prediction().fnr()))));
    }
  }

  private void markBest() {
    PlanOption best = plan.recommendation().option();
    drawing.add(new Drawing.Dot(xOf(best), yOf(best), 9, "#fff3b0", INK, "recommended"));
    places.take(pointOf(best), 20);
    String words =
        "%s: %s k=%d"
            .formatted(
                plan.rejection().isPresent() ? "nearest" : "recommended",
                best.spec().kind().id(),
                best.spec().hashes());
    List<FreePlaces.Anchor> anchors = List.of(new FreePlaces.Anchor(pointOf(best), 18, 0));
    write(words, places.place(words, 12, false, anchors), 12, INK, false);
  }

  /** Writes each name next to the point of its line where it covers least. */
  private void label(List<FilterKind> kinds) {
    FilterKind kind = kinds.get(0);
    List<FreePlaces.Anchor> anchors = new ArrayList<>();
    for (PlanOption option : optionsOf(kind)) {
      boolean usual = option.spec().hashes() == kind.defaultHashes();
      anchors.add(new FreePlaces.Anchor(pointOf(option), 9, usual ? 0 : UNUSUAL));
    }
    if (!anchors.isEmpty()) {
      String names = kinds.stream().map(FilterKind::id).collect(Collectors.joining(", "));
      write(names, places.place(names, 13, true, anchors), 13, color(kind), true);
    }
  }

  private void write(String words, Rectangle2D box, double size, String color, boolean bold) {
    drawing.add(
        new Drawing.Text(
            box.getMinX(),
            box.getMaxY() - 0.15 * size,
            words,
            size,
            Drawing.Anchor.START,
            color,
            bold,
            false));
  }

  /** Returns the options of a kind that no other one of it beats in both rates, by rising FNR. */
  private List<PlanOption> optionsOf(FilterKind kind) {
    List<PlanOption> best = new ArrayList<>();
    plan.options().stream()
        .filter(option -> option.spec().kind() == kind)
        .sorted(
            Comparator.<PlanOption>comparingDouble(option -> option.prediction().fnr())
                .thenComparingDouble(option -> option.prediction().fpr()))
        .filter(
            option ->
                best.isEmpty()
                    || option.prediction().fpr() < best.get(best.size() - 1).prediction().fpr())
        .forEach(best::add);
    return best;
  }

  private static String color(FilterKind kind) {
    return COLORS.get((kind.wireId() - 1) % COLORS.size());
  }

  private Point2D pointOf(PlanOption option) {
    return new Point2D.Double(xOf(option), yOf(option));
  }

  private double xOf(PlanOption option) {
    return x.at(option.prediction().fpr());
  }

  private double yOf(PlanOption option) {
    return y.at(option.prediction().fnr());
  }
}
