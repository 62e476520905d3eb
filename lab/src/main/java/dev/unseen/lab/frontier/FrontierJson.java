package dev.unseen.lab.frontier;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Writes everything that the page shows, as the JSON that its script reads. Rates are in percent.
 */
final class FrontierJson {
  private final StringWriter text = new StringWriter();
  private final JsonGenerator json;

  private FrontierJson() throws IOException {
    this.json = new JsonFactory().createGenerator(text);
  }

  static String of(List<GroundResult> results, Map<String, Object> about) throws IOException {
    FrontierJson report = new FrontierJson();
    report.write(results, about);
    return report.text.toString();
  }

  private void write(List<GroundResult> results, Map<String, Object> about) throws IOException {
    json.writeStartObject();
    for (var entry : about.entrySet()) {
      json.writeObjectField(entry.getKey(), entry.getValue());
    }
    json.writeArrayFieldStart("targets");
    for (double target : GroundResult.TARGETS) {
      json.writeNumber(percent(target));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("grounds");
    for (GroundResult result : results) {
      ground(result);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.close();
  }

  private void ground(GroundResult result) throws IOException {
    Ground g = result.ground();
    json.writeStartObject();
    json.writeStringField("stream", g.stream().name());
    json.writeNumberField("records", g.stream().records());
    json.writeNumberField("distinct", g.stream().distinct());
    json.writeNumberField("memoryBytes", g.memoryBytes());
    json.writeNumberField("repeats", g.repeats());
    json.writeNumberField("bitsPerKey", g.bitsPerKey());
    json.writeArrayFieldStart("bound");
    if (g.stream().uniformKeys()) {
      for (double[] point : GroundBound.of(g)) {
        json.writeStartArray();
        json.writeNumber(percent(point[0]));
        json.writeNumber(percent(point[1]));
        json.writeEndArray();
      }
    }
    json.writeEndArray();
    json.writeArrayFieldStart("families");
    for (Contender contender : result.contenders()) {
      contender(result, contender);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void contender(GroundResult result, Contender contender) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", contender.label());
    json.writeStringField("role", contender.family().role().name().toLowerCase(Locale.ROOT));
    json.writeBooleanField("default", contender.byDefault());
    json.writeArrayFieldStart("points");
    for (Point p : contender.points()) {
      json.writeStartObject();
      json.writeStringField("setting", p.setting().parameters());
      json.writeNumberField("fpr", percent(p.tally().fpr()));
      json.writeNumberField("fnr", percent(p.tally().fnr()));
      json.writeBooleanField("frontier", p.onFrontier());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("best"); // one for each target, null if none reaches it
    for (double target : GroundResult.TARGETS) {
      Optional<Point> best = contender.at(target);
      if (best.isEmpty()) {
        json.writeNull();
      } else {
        best(result, best.get(), target);
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void best(GroundResult result, Point p, double target) throws IOException {
    json.writeStartObject();
    json.writeStringField("setting", p.setting().parameters());
    json.writeNumberField("fpr", percent(p.tally().fpr()));
    json.writeNumberField("fnr", percent(p.tally().fnr()));
    if (p.fnrSd().isPresent()) {
      json.writeNumberField("sd", percent(p.fnrSd().getAsDouble()));
    }
    OptionalDouble ratio = result.ratio(p, target);
    if (ratio.isPresent()) {
      json.writeNumberField("ratio", ratio.getAsDouble());
    }
    json.writeEndObject();
  }

  /**
   * Returns a rate in percent with ten significant digits, because multiplying by 100 makes the
   * last digits inexact.
   */
  private static double percent(double rate) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.9e", 100 * rate));
  }
}
