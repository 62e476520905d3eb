package dev.unseen.lab.frontier;

import static dev.unseen.draw.Drawing.Anchor.END;
import static dev.unseen.draw.Drawing.Anchor.MIDDLE;
import static dev.unseen.draw.Drawing.Anchor.START;
import static dev.unseen.draw.Palette.BACKGROUND;
import static dev.unseen.draw.Palette.GRID;
import static dev.unseen.draw.Palette.INK;
import static dev.unseen.draw.Palette.MUTED;

import dev.unseen.draw.Drawing;
import dev.unseen.draw.Palette;
import dev.unseen.lab.rival.Role;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Draws the FNR of RECENCY and of the rivals at one target: a row per ground, a dot per contender.
 * RECENCY's default and its best setting are black.
 */
final class FrontierPlot {
  private static final int WIDTH = 720; // readable on a phone
  private static final double LEFT = 222;
  private static final double RIGHT = WIDTH - 28.0;
  private static final double ROW = 28;

  /** Rivals are drawn a little above and below the line, because many are near to each other. */
  private static final double OFFSET = 6;

  private static final int LEGEND_COLUMNS = 3;
  private static final List<String> COLORS =
      List.of(
          Palette.VERMILION,
          Palette.BLUE,
          Palette.GREEN,
          Palette.ORANGE,
          Palette.PURPLE,
          Palette.SKY_BLUE);

  /** FNR below this is drawn here, because a logarithmic axis has no zero. */
  private static final double LEAST = 1e-5;

  private final List<GroundResult> results;
  private final double target;
  private final List<String> labels;
  private final double least;
  private final double top;
  private final double bottom;
  private final Drawing drawing;

  private FrontierPlot(List<GroundResult> results, double target) {
    this.results =
        results.stream()
            .sorted(Comparator.comparingLong(r -> Math.round(r.ground().bitsPerKey())))
            .toList();
    this.target = target;
    this.labels =
        results.stream()
            .flatMap(r -> drawn(r).stream())
            .sorted(Comparator.comparing(c -> c.family().role() != Role.OWN))
            .map(Contender::label)
            .distinct()
            .toList();
    this.least =
        results.stream()
            .flatMap(r -> drawn(r).stream())
            .flatMap(c -> c.at(target).stream())
            .mapToDouble(p -> Math.max(LEAST, p.tally().fnr()))
            .min()
            .orElse(LEAST);
    int rowsOfLegend = (labels.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    this.top = 84 + 20.0 * rowsOfLegend;
    this.bottom = top + ROW * results.size();
    this.drawing = new Drawing(WIDTH, (int) bottom + 56);
  }

  static Drawing of(List<GroundResult> results, double target) {
    FrontierPlot plot = new FrontierPlot(results, target);
    plot.head();
    plot.axis();
    for (int i = 0; i < plot.results.size(); i++) {
      plot.row(i, plot.results.get(i));
    }
    return plot.drawing;
  }

  /** Returns the contenders to draw: the rivals, and families that have a default. */
  private static List<Contender> drawn(GroundResult result) {
    List<Contender> all = result.contenders();
    return all.stream()
        .filter(
            c ->
                c.family().role() == Role.RIVAL
                    || all.stream().anyMatch(o -> o.byDefault() && o.family().equals(c.family())))
        .toList();
  }

  private void head() {
    drawing.add(new Drawing.Box(0, 0, WIDTH, drawing.height(), BACKGROUND));
    drawing.title(
        20, 32, "Duplicates that get through, at an FPR of at most " + Print.percent(target), 17);
    for (int i = 0; i < labels.size(); i++) {
      double x = 30 + i % LEGEND_COLUMNS * 225;
      double y = 58 + i / LEGEND_COLUMNS * 20;
      String label = labels.get(i);
      boolean best = isOurs(label) && !label.endsWith(" default");
      dot(x, y - 4, label, label);
      drawing.text(x + 14, y, best ? label + " at its best" : label, 13, START, INK);
    }
  }

  private void axis() {
    for (double decade = 1e-5; decade <= 1; decade *= 10) {
      for (int step : new int[] {1, 2, 5}) {
        double fnr = step * decade;
        if (fnr >= least * 0.999 && fnr <= 1.001) {
          drawing.line(x(fnr), top - 8, x(fnr), bottom, GRID, step == 1 ? 2 : 1);
          String words = String.format(Locale.ROOT, "%s %%", short3(100 * fnr));
          drawing.text(x(fnr), bottom + 18, words, 12, MIDDLE, MUTED);
        }
      }
    }
    drawing.text(
        (LEFT + RIGHT) / 2,
        bottom + 42,
        "FNR, the share of the duplicates that get through",
        13,
        MIDDLE,
        INK);
  }

  private static String short3(double percent) {
    return percent >= 1
        ? Long.toString(Math.round(percent))
        : Print.percent(percent / 100).replace(" %", "");
  }

  private void row(int i, GroundResult result) {
    Ground ground = result.ground();
    double y = top + ROW * i + ROW / 2;
    String stream = ground.stream().name().replaceFirst("\\.(trace|txt|int64be)\\.xz", "");
    long bits = Math.round(ground.bitsPerKey());
    String name = String.format(Locale.ROOT, "%s, %d bits", stream, bits);
    if (i > 0 && Math.round(results.get(i - 1).ground().bitsPerKey()) != bits) {
      drawing.line(20, y - ROW / 2, RIGHT, y - ROW / 2, MUTED, 1);
    }
    drawing.text(LEFT - 12, y + 4, name, 13, END, INK);
    drawing.line(LEFT, y, RIGHT, y, GRID, 1);
    List<Contender> last = new ArrayList<>(drawn(result));
    last.sort(Comparator.comparing(c -> c.family().role() == Role.OWN)); // on top
    for (Contender contender : last) {
      contender
          .at(target)
          .ifPresent(
              p ->
                  dot(
                      x(p.tally().fnr()),
                      y + offset(contender.label()),
                      contender.label(),
                      "%s %s: %s"
                          .formatted(
                              contender.label(),
                              p.setting().parameters(),
                              Print.percent(p.tally().fnr()))));
    }
  }

  /** Draws a dot: ours black, in a ring at its best; others hollow once all colors are used. */
  private void dot(double x, double y, String label, String tooltip) {
    int number = labels.indexOf(label);
    int ours = (int) labels.stream().filter(this::isOurs).count();
    if (isOurs(label)) {
      boolean byDefault = label.endsWith(" default");
      drawing.add(new Drawing.Dot(x, y, byDefault ? 5 : 8, byDefault ? INK : "none", INK, tooltip));
    } else {
      String color = COLORS.get((number - ours) % COLORS.size());
      boolean hollow = number - ours >= COLORS.size();
      drawing.add(new Drawing.Dot(x, y, 4.5, hollow ? BACKGROUND : color, color, tooltip));
    }
  }

  private double offset(String label) {
    return isOurs(label) ? 0 : (labels.indexOf(label) % 3 - 1) * OFFSET;
  }

  private boolean isOurs(String label) {
    return label.endsWith(" default") || labels.contains(label + " default");
  }

  private double x(double fnr) {
    double share = Math.log(Math.max(least, fnr) / least) / Math.log(1 / least);
    return LEFT + share * (RIGHT - LEFT);
  }
}
