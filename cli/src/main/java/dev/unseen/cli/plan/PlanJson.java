package dev.unseen.cli.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.unseen.filter.Parameter;
import dev.unseen.plan.MemoryNeed;
import dev.unseen.plan.PlanOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** The plan as a program reads it: an array of objects, one a filter, the best first. */
final class PlanJson {
  private PlanJson() {}

  static void print(List<PlanOption> options, PrintWriter out) throws IOException {
    try (JsonGenerator json = generator(out)) {
      json.writeStartArray();
      for (PlanOption option : options) {
        write(option, json);
      }
      json.writeEndArray();
    }
    out.println();
  }

  /** A kind for which no memory is enough has nulls. */
  static void printNeeds(List<MemoryNeed> needs, PrintWriter out) throws IOException {
    try (JsonGenerator json = generator(out)) {
      json.writeStartArray();
      for (MemoryNeed need : needs) {
        if (need.option().isPresent()) {
          write(need.option().get(), json);
        } else {
          json.writeStartObject();
          json.writeStringField("kind", need.kind().id());
          json.writeNullField("hashes");
          json.writeNullField("memoryBytes");
          json.writeNullField("fpr");
          json.writeNullField("fnr");
          json.writeEndObject();
        }
      }
      json.writeEndArray();
    }
    out.println();
  }

  private static JsonGenerator generator(PrintWriter out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(new DefaultPrettyPrinter());
    return json;
  }

  private static void write(PlanOption option, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", option.spec().kind().id());
    json.writeNumberField("hashes", option.spec().hashes());
    json.writeNumberField("memoryBytes", option.spec().memoryBytes());
    if (option.spec().kind().parameters().contains(Parameter.MAX_FPR)) {
      json.writeNumberField("maxFpr", option.spec().maxFpr());
    }
    if (option.spec().kind().parameters().contains(Parameter.SHARE)) {
      json.writeNumberField("share", option.spec().share());
    }
    json.writeNumberField("fpr", option.prediction().fpr());
    json.writeNumberField("fnr", option.prediction().fnr());
    json.writeEndObject();
  }
}
