package dev.unseen.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** Writes the results as JSON: an array with one object for each contestant of each scenario. */
final class ResultsJson {
  private ResultsJson() {}

  static String write(String machine, List<Ranking> rankings) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      json.writeStartArray();
      for (Ranking ranking : rankings) {
        for (Result result : ranking.results()) {
          write(json, machine, ranking, result);
        }
      }
      json.writeEndArray();
    }
    return text.append('\n').toString();
  }

  private static void write(JsonGenerator json, String machine, Ranking ranking, Result result)
      throws IOException {
    Scenario scenario = result.scenario();
    json.writeStartObject();
    json.writeStringField("name", result.name());
    json.writeStringField("role", result.role().name());
    json.writeNumberField("memoryBytes", result.memoryBytes());
    number(json, "mops", result.mops());
    number(json, "vsBestPeer", ranking.vsBestPeer(result));
    number(json, "vsLimit", ranking.vsLimit(result));
    number(json, "vsPlainLoop", ranking.vsPlainLoop(result));
    number(json, "lines", result.round().lines());
    number(json, "load", result.round().load());
    number(json, "admitted", result.round().admitted());
    number(json, "wallToCpu", result.wallToCpu());
    json.writeNumberField("duplicates", scenario.duplicates());
    json.writeBooleanField("filled", scenario.steady());
    json.writeBooleanField("hugePages", scenario.hugePages());
    json.writeNumberField("keyBytes", scenario.strings() ? KeyBlock.TEXT_BYTES : Long.BYTES);
    json.writeNumberField("threads", scenario.threads());
    json.writeStringField("machine", machine);
    json.writeEndObject();
  }

  /** Writes a number with four digits, which is more than a measurement has. */
  private static void number(JsonGenerator json, String name, double value) throws IOException {
    json.writeFieldName(name);
    if (Double.isNaN(value)) {
      json.writeNull();
    } else {
      json.writeNumber(new BigDecimal(value).round(new MathContext(4)));
    }
  }
}
