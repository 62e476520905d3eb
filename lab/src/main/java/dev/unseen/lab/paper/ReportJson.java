package dev.unseen.lab.paper;

import static dev.unseen.lab.output.Json.object;

import dev.unseen.lab.output.Json;
import dev.unseen.lab.trial.Tally;
import dev.unseen.plan.InformationBound;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Writes everything that the page shows, as the JSON that its script reads. Rates are in percent.
 */
final class ReportJson {
  private final Reproduction reproduction;

  private ReportJson(Reproduction reproduction) {
    this.reproduction = reproduction;
  }

  static String of(Reproduction reproduction, Map<String, Object> about) {
    ReportJson report = new ReportJson(reproduction);
    List<CellResult> results = reproduction.results();
    Map<String, Object> all = new LinkedHashMap<>(about);
    all.put("medianDeviation", ReproductionSummary.medianDeviation(results));
    all.put("tables", reproduction.byTable().values().stream().map(report::table).toList());
    all.put("figures", reproduction.figures().stream().map(report::figure).toList());
    all.put("findings", Findings.of(reproduction).stream().map(ReportJson::finding).toList());
    all.put(
        "deviations", CellResult.worstFirst(results).stream().map(ReportJson::deviation).toList());
    return Json.write(all);
  }

  private Map<String, Object> table(List<CellResult> rows) {
    PublishedCell any = rows.get(0).cell();
    return object(
        "id", any.table(),
        "records", any.recordsName(),
        "distinctPercent", any.distinctPercent(),
        "csv", ReproductionFiles.csvName(any.table()),
        "simulatedRecords", any.records() / reproduction.scale(),
        "rows", rows.stream().map(ReportJson::row).toList());
  }

  private static Map<String, Object> row(CellResult r) {
    Map<String, Object> row =
        object(
            "memoryMb", r.cell().memoryMb(),
            "algorithm", r.cell().algorithm(),
            "variant", r.isAsPublished() ? "published" : "corrected",
            "k", r.cell().k(),
            "publishedFpr", r.cell().fpr(),
            "publishedFnr", r.cell().fnr(),
            "fpr", r.fpr().measured(),
            "fnr", r.fnr().measured(),
            "fprSe", r.fpr().standardError(),
            "fnrSe", r.fnr().standardError(),
            "fprDeviation", 100 * r.fpr().deviation(),
            "fnrDeviation", 100 * r.fnr().deviation(),
            "within", r.within());
    if (!r.isAsPublished()) {
      row.put("note", r.label());
    }
    return row;
  }

  private Map<String, Object> figure(Figure figure) {
    return object(
        "id", figure.id(),
        "table", figure.table(),
        "title", figure.title(reproduction.anyCell(figure)),
        "panels", figure.panels().stream().map(measure -> panel(figure, measure)).toList());
  }

  private Map<String, Object> panel(Figure figure, Figure.Measure measure) {
    List<Object> series = new ArrayList<>();
    List<Tally> balanced = List.of();
    for (PublishedCell cell : reproduction.cellsOf(figure)) {
      List<Tally> along = reproduction.along(cell);
      series.add(series(cell.algorithm(), "paper", along, values(measure, along)));
      if (cell.algorithm().equals("RLBSBF")) {
        balanced = along;
      }
    }
    PublishedCell any = reproduction.anyCell(figure);
    List<Tally> bloom = reproduction.bloomAlong(any);
    series.add(series("Plain Bloom", "plain", bloom, values(measure, bloom)));
    if (measure != Figure.Measure.LOAD) {
      long bits = ((long) any.memoryMb() << 23) / reproduction.scale();
      List<Double> bound =
          measure == Figure.Measure.FPR ? leastFpr(balanced, bits) : leastFnr(balanced, bits);
      series.add(series("Information bound", "bound", balanced, bound));
    }
    return object("measure", measure.name().toLowerCase(Locale.ROOT), "series", series);
  }

  private static List<Double> values(Figure.Measure measure, List<Tally> along) {
    return along.stream().map(tally -> 100 * measure.of(tally)).toList();
  }

  /** Returns the least FPR along the stream of a filter without false negatives. */
  private static List<Double> leastFpr(List<Tally> reference, long bits) {
    return reference.stream()
        .map(t -> 100 * InformationBound.leastAverageFpr((double) bits, (double) t.distinct()))
        .toList();
  }

  /** Returns the least FNR at the FPR that the reference had at each part of the stream. */
  private static List<Double> leastFnr(List<Tally> reference, long bits) {
    List<Double> percents = new ArrayList<>();
    Tally before = new Tally(0, 0, 0, 0, 0);
    double missed = 0;
    for (Tally t : reference) {
      Tally part = t.since(before);
      double keys = (t.distinct() + before.distinct()) / 2.0;
      double least = part.fpr() == 0 ? 0 : InformationBound.leastFnr(bits / keys, part.fpr());
      missed += least * part.duplicates();
      percents.add(t.duplicates() == 0 ? 0 : 100 * missed / t.duplicates());
      before = t;
    }
    return percents;
  }

  private Map<String, Object> series(
      String name, String role, List<Tally> along, List<Double> values) {
    List<List<Number>> points =
        IntStream.range(0, along.size())
            .mapToObj(
                i -> List.<Number>of(along.get(i).records() * reproduction.scale(), values.get(i)))
            .toList();
    return object("name", name, "role", role, "points", points);
  }

  private static Map<String, Object> finding(Findings.Finding finding) {
    return object(
        "title", finding.title(),
        "text", finding.text(),
        "columns", finding.columns(),
        "rows", finding.rows());
  }

  private static Map<String, Object> deviation(CellResult.Rate rate) {
    return object(
        "table", rate.cell().table(),
        "cell", rate.cell().name(),
        "rate", rate.name(),
        "published", rate.published(),
        "measured", rate.measured(),
        "deviation", 100 * rate.deviation(),
        "standardErrors", rate.inStandardErrors(),
        "within", rate.within());
  }
}
