package dev.unseen.cli.state;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.MeasuredRate;
import dev.unseen.filter.FilterSpec;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** A state as a program reads it: one object. */
final class InspectJson {
  private InspectJson() {}

  static void print(Path file, long bytes, Snapshot state, Instant now, PrintWriter out)
      throws IOException {
    Instant saved = Instant.ofEpochMilli(state.savedAtMillis());
    try (JsonGenerator json = generator(out)) {
      json.writeStartObject();
      json.writeStringField("file", file.toString());
      json.writeStringField("integrity", "whole");
      json.writeNumberField("version", SnapshotFormat.VERSION);
      json.writeNumberField("bytes", bytes);
      json.writeStringField("savedAt", saved.toString());
      json.writeNumberField("ageSeconds", (now.toEpochMilli() - state.savedAtMillis()) / 1000);
      writeSpec(state.spec(), json);
      json.writeNumberField("shards", state.shards());
      json.writeNumberField("records", state.records());
      json.writeNumberField("admitted", state.admitted());
      json.writeNumberField("duplicates", state.records() - state.admitted());
      json.writeNumberField("load", state.filter().load());
      json.writeNumberField("estimatedFpr", state.filter().estimatedFpr());
      json.writeNumberField("maxFpr", state.maxFpr());
      json.writeNumberField("windowCoverage", InspectText.coverage(state));
      if (state.auditReport().isPresent()) {
        writeAudit(state.auditReport().get(), json);
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
    out.println();
  }

  static void printDamaged(Path file, String error, PrintWriter out) throws IOException {
    try (JsonGenerator json = generator(out)) {
      json.writeStartObject();
      json.writeStringField("file", file.toString());
      json.writeStringField("integrity", "damaged");
      json.writeStringField("error", error);
      json.writeEndObject();
    }
    out.println();
    out.flush();
  }

  private static JsonGenerator generator(PrintWriter out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(new DefaultPrettyPrinter());
    return json;
  }

  private static void writeSpec(FilterSpec spec, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("spec");
    json.writeStringField("kind", spec.kind().id());
    json.writeNumberField("memoryBytes", spec.memoryBytes());
    json.writeNumberField("hashes", spec.hashes());
    json.writeStringField("hash", spec.hash().id());
    if (spec.hash().isKeyed()) {
      json.writeNullField("seed");
    } else {
      json.writeNumberField("seed", spec.seed());
    }
    json.writeNumberField("cellBits", spec.cellBits());
    json.writeNumberField("decrements", spec.decrements());
    json.writeNumberField("threshold", spec.threshold());
    json.writeBooleanField("partitioned", spec.partitioned());
    json.writeNumberField("resetReach", spec.resetReach());
    json.writeNumberField("maxFpr", spec.maxFpr());
    json.writeNumberField("window", spec.window().length());
    if (spec.window().isNone()) {
      json.writeNullField("windowUnit");
    } else {
      json.writeStringField("windowUnit", spec.window().isTime() ? "milliseconds" : "records");
    }
    json.writeStringField(
        "refresh",
        switch (spec.refresh()) {
          case ADAPTIVE -> "adaptive";
          case ALWAYS -> "always";
          case NEVER -> "never";
        });
    json.writeNumberField("share", spec.share());
    json.writeEndObject();
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
