package dev.unseen.lab.paper;

import static dev.unseen.lab.output.Json.object;

import dev.unseen.lab.output.Json;
import dev.unseen.lab.trial.Tally;
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
  private final List<CellResult> results;

  private ReportJson(Reproduction reproduction) {
    this.reproduction = reproduction;
    this.results = reproduction.results();
  }

  static String of(Reproduction reproduction, Map<String, Object> about) {
    ReportJson report = new ReportJson(reproduction);
    Map<String, Object> all = new LinkedHashMap<>(about);
    all.put("medianDeviation", ReproductionSummary.medianDeviation(report.results));
    all.put("tables", report.tables());
    all.put("figures", reproduction.figures().stream().map(report::figure).toList());
    all.put("findings", Findings.of(reproduction).stream().map(ReportJson::finding).toList());
    all.put(
        "deviations",
        Deviation.worstFirst(report.results).stream().map(ReportJson::deviation).toList());
    return Json.write(all);
  }

  private List<Object> tables() {
    Map<String, List<Object>> rows = new LinkedHashMap<>();
    List<Object> tables = new ArrayList<>();
    for (CellResult r : results) {
      PublishedCell cell = r.cell();
      rows.computeIfAbsent(
              cell.table(),
              id -> {
                List<Object> ofTable = new ArrayList<>();
                tables.add(
                    object(
                        "id",
                        id,
                        "records",
                        cell.recordsName(),
                        "distinctPercent",
                        cell.distinctPercent(),
                        "csv",
                        ReproductionFiles.csvName(id),
                        "simulatedRecords",
                        cell.records() / reproduction.scale(),
                        "rows",
                        ofTable));
                return ofTable;
              })
          .add(row(r));
    }
    return tables;
  }

  private static Map<String, Object> row(CellResult r) {
    boolean described = r.reading() == Reading.AS_DESCRIBED;
    Map<String, Object> row =
        object(
            "memoryMb", r.cell().memoryMb(),
            "algorithm", r.cell().algorithm(),
            "variant", described ? "corrected" : "published");
    if (described) {
      row.put("note", r.reading().label(r.cell()));
    }
    row.putAll(
        object(
            "k", r.cell().k(),
            "publishedFpr", r.cell().fpr(),
            "publishedFnr", r.cell().fnr(),
            "fpr", r.fpr().measured(),
            "fnr", r.fnr().measured(),
            "fprSe", r.fpr().standardError(),
            "fnrSe", r.fnr().standardError(),
            "fprDeviation", 100 * r.fpr().deviation(),
            "fnrDeviation", 100 * r.fnr().deviation(),
            "within", r.within()));
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
      List<Double> bound = BoundAlongStream.of(measure, balanced, bits);
      series.add(series("Information bound", "bound", balanced, bound));
    }
    return object("measure", measure.name().toLowerCase(Locale.ROOT), "series", series);
  }

  private static List<Double> values(Figure.Measure measure, List<Tally> along) {
    return along.stream()
        .map(
            t ->
                100
                    * switch (measure) {
                      case FPR -> t.fpr();
                      case FNR -> t.fnr();
                      case LOAD -> t.load();
                    })
        .toList();
  }

  private Map<String, Object> series(
      String name, String role, List<Tally> along, List<Double> values) {
    return object(
        "name", name,
        "role", role,
        "points",
            IntStream.range(0, along.size())
                .mapToObj(
                    i -> List.of(along.get(i).records() * reproduction.scale(), values.get(i)))
                .toList());
  }

  private static Map<String, Object> finding(Finding finding) {
    return object(
        "title", finding.title(),
        "text", finding.text(),
        "columns", finding.columns(),
        "rows", finding.rows());
  }

  private static Map<String, Object> deviation(Deviation d) {
    return object(
        "table", d.cell().table(),
        "cell", d.name(),
        "rate", d.rate().name(),
        "published", d.rate().published(),
        "measured", d.rate().measured(),
        "deviation", 100 * d.rate().deviation(),
        "standardErrors", d.rate().inStandardErrors(),
        "within", d.rate().within());
  }
}
