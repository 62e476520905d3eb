package dev.unseen.lab.paper;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.unseen.lab.trial.Tally;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes everything that the page shows, as the JSON that its script reads. Rates are in percent.
 */
final class ReportJson {
  private final Reproduction reproduction;
  private final List<CellResult> results;
  private final StringWriter text = new StringWriter();
  private final JsonGenerator json;

  private ReportJson(Reproduction reproduction) throws IOException {
    this.reproduction = reproduction;
    this.results = reproduction.results();
    this.json = new JsonFactory().createGenerator(text);
  }

  static String of(Reproduction reproduction, Map<String, Object> about) throws IOException {
    ReportJson report = new ReportJson(reproduction);
    report.write(about);
    return report.text.toString();
  }

  private void write(Map<String, Object> about) throws IOException {
    json.writeStartObject();
    for (var entry : about.entrySet()) {
      json.writeObjectField(entry.getKey(), entry.getValue());
    }
    json.writeNumberField("medianDeviation", ReproductionSummary.medianDeviation(results));
    tables();
    figures();
    findings();
    deviations();
    json.writeEndObject();
    json.close();
  }

  private void tables() throws IOException {
    Map<String, List<CellResult>> byTable = new LinkedHashMap<>();
    for (CellResult r : results) {
      byTable.computeIfAbsent(r.cell().table(), any -> new ArrayList<>()).add(r);
    }
    json.writeArrayFieldStart("tables");
    for (var entry : byTable.entrySet()) {
      PublishedCell any = entry.getValue().get(0).cell();
      json.writeStartObject();
      json.writeStringField("id", entry.getKey());
      json.writeStringField("records", any.recordsName());
      json.writeNumberField("distinctPercent", any.distinctPercent());
      json.writeStringField("csv", ReproductionFiles.csvName(entry.getKey()));
      json.writeNumberField("simulatedRecords", any.records() / reproduction.scale());
      json.writeArrayFieldStart("rows");
      for (CellResult r : entry.getValue()) {
        row(r);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void row(CellResult r) throws IOException {
    boolean described = r.reading() == Reading.AS_DESCRIBED;
    json.writeStartObject();
    json.writeNumberField("memoryMb", r.cell().memoryMb());
    json.writeStringField("algorithm", r.cell().algorithm());
    json.writeStringField("variant", described ? "corrected" : "published");
    if (described) {
      json.writeStringField("note", r.reading().label(r.cell()));
    }
    json.writeNumberField("k", r.cell().k());
    json.writeNumberField("publishedFpr", r.cell().fpr());
    json.writeNumberField("publishedFnr", r.cell().fnr());
    json.writeNumberField("fpr", r.fpr().measured());
    json.writeNumberField("fnr", r.fnr().measured());
    json.writeNumberField("fprSe", r.fpr().standardError());
    json.writeNumberField("fnrSe", r.fnr().standardError());
    json.writeNumberField("fprDeviation", 100 * r.fpr().deviation());
    json.writeNumberField("fnrDeviation", 100 * r.fnr().deviation());
    json.writeBooleanField("within", r.within());
    json.writeEndObject();
  }

  private void figures() throws IOException {
    json.writeArrayFieldStart("figures");
    for (Figure figure : reproduction.figures()) {
      json.writeStartObject();
      json.writeStringField("id", figure.id());
      json.writeStringField("table", figure.table());
      json.writeStringField("title", figure.title(reproduction.anyCell(figure)));
      json.writeArrayFieldStart("panels");
      for (Figure.Measure measure : figure.panels()) {
        panel(figure, measure);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void panel(Figure figure, Figure.Measure measure) throws IOException {
    json.writeStartObject();
    json.writeStringField("measure", measure.name().toLowerCase(Locale.ROOT));
    json.writeArrayFieldStart("series");
    List<Tally> balanced = List.of();
    for (PublishedCell cell : reproduction.cellsOf(figure)) {
      List<Tally> along = reproduction.along(cell);
      series(cell.algorithm(), "paper", along, values(measure, along));
      if (cell.algorithm().equals("RLBSBF")) {
        balanced = along;
      }
    }
    PublishedCell any = reproduction.anyCell(figure);
    List<Tally> bloom = reproduction.bloomAlong(any);
    series("Plain Bloom", "plain", bloom, values(measure, bloom));
    if (measure != Figure.Measure.LOAD) {
      long bits = ((long) any.memoryMb() << 23) / reproduction.scale();
      series("Information bound", "bound", balanced, BoundAlongStream.of(measure, balanced, bits));
    }
    json.writeEndArray();
    json.writeEndObject();
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

  private void series(String name, String role, List<Tally> along, List<Double> values)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeStringField("role", role);
    json.writeArrayFieldStart("points");
    for (int i = 0; i < along.size(); i++) {
      json.writeStartArray();
      json.writeNumber(along.get(i).records() * reproduction.scale());
      json.writeNumber(values.get(i));
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void findings() throws IOException {
    json.writeArrayFieldStart("findings");
    for (Finding finding : Findings.of(reproduction)) {
      json.writeStartObject();
      json.writeStringField("title", finding.title());
      json.writeStringField("text", finding.text());
      json.writeArrayFieldStart("columns");
      for (String column : finding.columns()) {
        json.writeString(column);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("rows");
      for (List<String> row : finding.rows()) {
        json.writeStartArray();
        for (String value : row) {
          json.writeString(value);
        }
        json.writeEndArray();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void deviations() throws IOException {
    json.writeArrayFieldStart("deviations");
    for (Deviation d : Deviation.worstFirst(results)) {
      json.writeStartObject();
      json.writeStringField("table", d.cell().table());
      json.writeStringField("cell", d.name());
      json.writeStringField("rate", d.rate().name());
      json.writeNumberField("published", d.rate().published());
      json.writeNumberField("measured", d.rate().measured());
      json.writeNumberField("deviation", 100 * d.rate().deviation());
      json.writeNumberField("standardErrors", d.rate().inStandardErrors());
      json.writeBooleanField("within", d.rate().within());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
