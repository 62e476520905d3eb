package dev.unseen.cli.plan;

import static dev.unseen.draw.Palette.BACKGROUND;
import static dev.unseen.draw.Palette.GRID;
import static dev.unseen.draw.Palette.INK;
import static dev.unseen.draw.Palette.MUTED;

import dev.unseen.draw.Drawing;
import dev.unseen.draw.Drawing.Anchor;
import dev.unseen.draw.Palette;
import dev.unseen.draw.SvgWriter;
import dev.unseen.filter.FilterKind;
import dev.unseen.plan.BoundCurve;
import dev.unseen.plan.Plan;
import dev.unseen.plan.PlanOption;
import dev.unseen.text.Print;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Draws FNR against FPR, both logarithmic, with a line for each kind through its settings: what is
 * further down and to the left is better. Zero has its own place next to the axis.
 */
final class PlanPlot {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 640;
  private static final double LEFT = 92;
  private static final double RIGHT = WIDTH - 230.0;
  private static final double TOP = 84;
  private static final double BOTTOM = HEIGHT - 72.0;
  private static final double LEGEND = RIGHT + 24;
  private static final double LEGEND_LINE = 24;

  private static final String HTML = ".html";
  private static final String FORBIDDEN = "#8a8a8a";
  private static final String WISH = "#eaf4ee";
  private static final String RECOMMENDED = "#fff3b0";

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
  private double legendY = TOP + 6;

  PlanPlot(Plan plan, String stream) {
    this.plan = plan;
    this.stream = stream;
    this.bound = plan.bound().map(curve -> curve.points(60)).orElse(List.of());
    this.x = new RateAxis(LEFT + 14, RIGHT - 10, 64, rates(true));
    this.y = new RateAxis(BOTTOM - 34, TOP + 10, 30, rates(false));
    drawing.add(new Drawing.Box(0, 0, WIDTH, HEIGHT, BACKGROUND));
    drawFrame();
    drawBest();
    linesOfKinds().forEach(this::drawKinds);
    drawBound();
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

  /** Rejects the name of a file whose suffix is not that of a format. */
  static void requireFormat(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (!name.endsWith(".svg") && !name.endsWith(HTML)) {
      throw new IllegalArgumentException("plot '%s' must end in .svg or .html".formatted(file));
    }
  }

  /** Writes the plot, as a page with all figures if the name of the file ends in .html. */
  void write(Path file) throws IOException {
    String title = "What %s can do: %s".formatted(Print.bytes(plan.memoryBytes()), stream);
    String svg = SvgWriter.write(drawing, title);
    boolean html = file.toString().toLowerCase(Locale.ROOT).endsWith(HTML);
    Files.writeString(file, html ? PlanPage.of(plan, title, svg) : svg);
  }

  private void drawFrame() {
    if (plan.limits().maxFpr() < 1 || plan.limits().maxFnr() < 1) {
      double right = plan.limits().maxFpr() < 1 ? x.at(plan.limits().maxFpr()) : RIGHT;
      double top = plan.limits().maxFnr() < 1 ? y.at(plan.limits().maxFnr()) : TOP;
      drawing.add(new Drawing.Box(LEFT, top, right - LEFT, BOTTOM - top, WISH));
      drawing.add(new Drawing.Box(LEGEND - 8, legendY - 8, 16, 16, WISH));
      explain("within the limits", "#2f6b4a", false);
    }
    for (int power = x.lowestPower(); power <= 0; power++) {
      double at = x.at(Math.pow(10, power));
      drawing.line(at, TOP, at, BOTTOM, GRID, 1);
      drawing.text(at, BOTTOM + 20, RateAxis.label(power), 12, Anchor.MIDDLE, MUTED);
    }
    for (int power = y.lowestPower(); power <= 0; power++) {
      double at = y.at(Math.pow(10, power));
      drawing.line(LEFT, at, RIGHT, at, GRID, 1);
      drawing.text(LEFT - 8, at + 4, RateAxis.label(power), 12, Anchor.END, MUTED);
    }
    if (x.hasZero()) {
      drawing.text(x.at(0), BOTTOM + 20, x.zeroLabel(), 12, Anchor.MIDDLE, MUTED);
    }
    if (y.hasZero()) {
      drawing.line(LEFT, y.at(0), RIGHT, y.at(0), GRID, 1);
      drawing.text(LEFT - 8, y.at(0) + 4, y.zeroLabel(), 12, Anchor.END, MUTED);
    }
    drawing.line(LEFT, BOTTOM, RIGHT, BOTTOM, MUTED, 1);
    drawing.line(LEFT, TOP, LEFT, BOTTOM, MUTED, 1);
    String size = "What " + Print.bytes(plan.memoryBytes()) + " can do";
    drawing.add(new Drawing.Text(LEFT, 34, size, 20, Anchor.START, INK, true, false));
    drawing.text(LEFT, 58, stream, 14, Anchor.START, MUTED);
    String dots = "a dot for each setting that none of its kind beats, filled for the usual one";
    drawing.text(WIDTH - 20.0, 34, dots, 12, Anchor.END, MUTED);
    String fpr = "FPR: the share of new records that are dropped";
    drawing.text((LEFT + RIGHT) / 2, HEIGHT - 20.0, fpr, 14, Anchor.MIDDLE, INK);
    String fnr = "FNR: the share of duplicates that pass";
    double middle = (TOP + BOTTOM) / 2;
    drawing.add(new Drawing.Text(24, middle, fnr, 14, Anchor.MIDDLE, INK, false, true));
  }

  /** Writes what the sign at the present place of the legend stands for. */
  private void explain(String words, String color, boolean bold) {
    drawing.add(
        new Drawing.Text(LEGEND + 16, legendY + 4, words, 13, Anchor.START, color, bold, false));
    legendY += LEGEND_LINE;
  }

  private void drawBest() {
    PlanOption best = plan.recommendation().option();
    String role = plan.rejection().isPresent() ? "nearest" : "recommended";
    drawing.add(new Drawing.Dot(xOf(best), yOf(best), 9, RECOMMENDED, INK, role));
    drawing.add(new Drawing.Dot(LEGEND, legendY, 8, RECOMMENDED, INK, role));
    String name = "%s k=%d".formatted(best.spec().kind().id(), best.spec().hashes());
    explain("%s: %s".formatted(role, name), INK, false);
  }

  /** Returns the kinds in groups: those of a group have the same rates, so one line shows them. */
  private List<List<FilterKind>> linesOfKinds() {
    Map<List<Double>, List<FilterKind>> byPoints = new LinkedHashMap<>();
    for (FilterKind kind : FilterKind.values()) {
      byPoints.computeIfAbsent(points(optionsOf(kind)), any -> new ArrayList<>()).add(kind);
    }
    return List.copyOf(byPoints.values());
  }

  private List<Double> points(List<PlanOption> options) {
    List<Double> points = new ArrayList<>();
    for (PlanOption option : options) {
      points.add(xOf(option));
      points.add(yOf(option));
    }
    return points;
  }

  private void drawKinds(List<FilterKind> kinds) {
    FilterKind kind = kinds.get(0);
    List<PlanOption> options = optionsOf(kind);
    if (options.isEmpty()) {
      return;
    }
    String color = COLORS.get((kind.wireId() - 1) % COLORS.size());
    if (options.size() > 1) {
      drawing.add(new Drawing.Line(points(options), color, 1.6, false));
    }
    for (PlanOption option : options) {
      boolean usual = option.spec().hashes() == kind.defaultHashes();
      String tooltip =
          "%s: FPR %s, FNR %s"
              .formatted(
                  option.spec().describe(),
                  Print.rate(option.prediction().fpr()),
                  Print.rate(option.prediction().fnr()));
      String fill = usual ? color : BACKGROUND;
      drawing.add(new Drawing.Dot(xOf(option), yOf(option), usual ? 4.5 : 3, fill, color, tooltip));
    }
    String names = kinds.stream().map(FilterKind::id).collect(Collectors.joining(", "));
    drawing.add(new Drawing.Dot(LEGEND, legendY, 4.5, color, color, names));
    explain(names, color, true);
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
    if (points.size() >= 4) {
      drawing.add(new Drawing.Line(points, FORBIDDEN, 1.8, true));
      List<Double> sign = List.of(LEGEND - 8, legendY, LEGEND + 8, legendY);
      drawing.add(new Drawing.Line(sign, FORBIDDEN, 1.8, true));
      explain("information bound", FORBIDDEN, false);
    }
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

  private double xOf(PlanOption option) {
    return x.at(option.prediction().fpr());
  }

  private double yOf(PlanOption option) {
    return y.at(option.prediction().fnr());
  }
}
