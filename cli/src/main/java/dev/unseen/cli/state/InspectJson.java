package dev.unseen.cli.state;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.ShardNumbers;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Prints a state as a program reads it: one object. */
final class InspectJson {
  private InspectJson() {}

  static void print(Path file, long bytes, Snapshot state, Instant now, PrintWriter out)
      throws IOException {
    Instant saved = Instant.ofEpochMilli(state.savedAtMillis());
    try (JsonGenerator json = generator(out)) {
      json.writeStartObject();
      json.writeStringField("file", file.toString());
      json.writeStringField("integrity", "whole");
      json.writeNumberField("version", Snapshot.FORMAT_VERSION);
      json.writeNumberField("bytes", bytes);
      json.writeStringField("savedAt", saved.toString());
      json.writeNumberField("ageSeconds", (now.toEpochMilli() - state.savedAtMillis()) / 1000);
      writeSpec(state.spec(), json);
      json.writeArrayFieldStart("predecessors");
      for (Snapshot replaced : state.predecessors()) {
        json.writeStartObject();
        json.writeStringField(
            "replacedAt", Instant.ofEpochMilli(replaced.savedAtMillis()).toString());
        writeSpec(replaced.spec(), json);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeNumberField("shards", state.shards());
      json.writeStringField("heldShards", ShardNumbers.text(state.heldShards()));
      json.writeStringField("key", state.keyForm());
      json.writeStringField("time", state.clock().basis().name().toLowerCase(Locale.ROOT));
      Report report = Report.of(state);
      for (Measure measure : Measure.all()) {
        json.writeFieldName(measure.jsonName());
        json.writeRawValue(measure.text(report));
      }
      if (report.audit().isPresent()) {
        writeAudit(report.audit().get(), json);
      } else {
        json.writeNullField("audit");
      }
      json.writeObjectFieldStart("metadata");
      for (Map.Entry<String, String> text : new TreeMap<>(state.metadata()).entrySet()) {
        json.writeStringField(text.getKey(), text.getValue());
      }
      json.writeEndObject();
      json.writeEndObject();
    }
  }

  /** Prints a state that is damaged, or a file that cannot be read. */
  static void printFailure(Path file, boolean damaged, String error, PrintWriter out)
      throws IOException {
    try (JsonGenerator json = generator(out)) {
      json.writeStartObject();
      json.writeStringField("file", file.toString());
      json.writeStringField("integrity", damaged ? "damaged" : "unreadable");
      json.writeStringField("error", error);
      json.writeEndObject();
    }
  }

  private static JsonGenerator generator(PrintWriter out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setHighestNonEscapedChar(127); // texts of a state do not steer a terminal
    json.setPrettyPrinter(new DefaultPrettyPrinter());
    return json;
  }

  private static void writeSpec(FilterSpec spec, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("spec");
    json.writeStringField("kind", spec.kind().id());
    json.writeNumberField("memoryBytes", spec.memoryBytes());
    json.writeStringField("hash", spec.hash().id());
    boolean hasSeed = !spec.hash().isKeyed() && spec.secret().isEmpty();
    json.writeObjectField("seed", hasSeed ? spec.seed() : null);
    json.writeStringField("secretFingerprint", spec.secret().map(Secret::fingerprint).orElse(null));
    for (Parameter<?> parameter : Parameter.all()) {
      writeParameter(parameter.name(), spec.get(parameter), json);
    }
    json.writeEndObject();
  }

  private static void writeParameter(String name, Object value, JsonGenerator json)
      throws IOException {
    if (value instanceof Window window) {
      json.writeNumberField(name, window.length());
      if (window.isNone()) {
        json.writeNullField(name + "Unit");
      } else {
        json.writeStringField(name + "Unit", window.isTime() ? "milliseconds" : "records");
      }
    } else if (value instanceof Number || value instanceof Boolean) {
      json.writeObjectField(name, value);
    } else {
      json.writeStringField(name, value.toString().toLowerCase(Locale.ROOT));
    }
  }

  private static void writeAudit(AuditReport report, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("audit");
    json.writeNumberField("oneIn", report.oneIn());
    json.writeBooleanField("thinned", report.thinned());
    json.writeNumberField("keys", report.keys());
    writeRate("auditedFpr", report.fpr(), json);
    writeRate("auditedFnr", report.fnr(), json);
    json.writeEndObject();
  }

  private static void writeRate(String name, MeasuredRate rate, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("rate", rate.rate());
    json.writeNumberField("low", rate.low());
    json.writeNumberField("high", rate.high());
    json.writeNumberField("errors", rate.errors());
    json.writeNumberField("trials", rate.trials());
    json.writeEndObject();
  }
}
