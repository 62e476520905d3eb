package dev.unseen.lab.frontier;

import static dev.unseen.lab.output.Json.object;

import dev.unseen.lab.output.Json;
import dev.unseen.plan.BoundCurve;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes everything that the page shows, as the JSON that its script reads. Rates are in percent.
 */
final class FrontierJson {
  private static final int POINTS_OF_BOUND = 40;

  private FrontierJson() {}

  static String of(List<GroundResult> results, Map<String, Object> about) {
    Map<String, Object> all = new LinkedHashMap<>(about);
    all.put("targets", GroundResult.TARGETS.stream().map(FrontierJson::percent).toList());
    all.put("grounds", results.stream().map(FrontierJson::ground).toList());
    return Json.write(all);
  }

  private static Map<String, Object> ground(GroundResult result) {
    Ground g = result.ground();
    List<BoundCurve.Point> bound =
        g.stream()
            .model()
            .map(model -> BoundCurve.of(model, g.memoryBytes()).points(POINTS_OF_BOUND))
            .orElse(List.of());
    return object(
        "stream", g.stream().name(),
        "records", g.stream().records(),
        "distinct", g.stream().distinct(),
        "memoryBytes", g.memoryBytes(),
        "repeats", g.repeats(),
        "bitsPerKey", g.bitsPerKey(),
        "bound", bound.stream().map(p -> List.of(percent(p.fpr()), percent(p.fnr()))).toList(),
        "families", result.contenders().stream().map(c -> contender(result, c)).toList());
  }

  private static Map<String, Object> contender(GroundResult result, Contender contender) {
    List<Object> best = new ArrayList<>(); // one for each target, null if none reaches it
    for (double target : GroundResult.TARGETS) {
      best.add(contender.at(target).map(point -> best(result, point, target)).orElse(null));
    }
    return object(
        "name", contender.label(),
        "role", contender.family().role().name().toLowerCase(Locale.ROOT),
        "default", contender.byDefault(),
        "points", contender.points().stream().map(p -> pointOfPlot(result, p)).toList(),
        "best", best);
  }

  private static Map<String, Object> pointOfPlot(GroundResult result, Point p) {
    Map<String, Object> point = point(p);
    point.put("frontier", result.isOnFrontier(p));
    return point;
  }

  private static Map<String, Object> best(GroundResult result, Point p, double target) {
    Map<String, Object> best = point(p);
    if (!Double.isNaN(p.fnrSd())) {
      best.put("sd", percent(p.fnrSd()));
    }
    if (!Double.isNaN(result.ratio(p, target))) {
      best.put("ratio", result.ratio(p, target));
    }
    return best;
  }

  private static Map<String, Object> point(Point p) {
    return object(
        "setting", p.setting().parameters(),
        "fpr", percent(p.tally().fpr()),
        "fnr", percent(p.tally().fnr()));
  }

  /**
   * Returns a rate in percent with ten significant digits, because multiplying by 100 makes the
   * last digits inexact.
   */
  private static double percent(double rate) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.9e", 100 * rate));
  }
}
