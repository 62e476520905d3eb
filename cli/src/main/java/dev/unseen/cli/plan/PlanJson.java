package dev.unseen.cli.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.unseen.filter.Parameter;
import dev.unseen.plan.MemoryNeed;
import dev.unseen.plan.Plan;
import dev.unseen.plan.PlanOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Shows a plan to programs: an array of objects, one for each filter, the best first. */
final class PlanJson {
  private PlanJson() {}

  /**
   * Prints the filters of each stream. A kind for which no memory is enough has nulls.
   *
   * @param plans the filters, for each end of a range of keys; a single one has no {@code distinct}
   */
  static void print(List<Rows> plans, PrintWriter out) throws IOException {
    try (JsonGenerator json = generator(out)) {
      json.writeStartArray();
      for (Rows plan : plans) {
        for (MemoryNeed row : plan.rows()) {
          json.writeStartObject();
          if (plans.size() > 1) {
            json.writeNumberField("distinct", Math.round(plan.distinct()));
          }
          write(row, json);
          json.writeEndObject();
        }
      }
      json.writeEndArray();
    }
    out.println();
  }

  /**
   * The filters for one stream.
   *
   * @param distinct how many keys the stream has
   */
  record Rows(double distinct, List<MemoryNeed> rows) {
    static Rows of(double distinct, Plan plan) {
      return new Rows(
          distinct,
          plan.options().stream()
              .map(option -> new MemoryNeed(option.spec().kind(), Optional.of(option)))
              .toList());
    }
  }

  private static JsonGenerator generator(PrintWriter out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(new DefaultPrettyPrinter());
    return json;
  }

  private static void write(MemoryNeed row, JsonGenerator json) throws IOException {
    json.writeStringField("kind", row.kind().id());
    if (row.option().isEmpty()) {
      for (String field : List.of("hashes", "memoryBytes", "fpr", "fnr")) {
        json.writeNullField(field);
      }
      return;
    }
    PlanOption option = row.option().get();
    json.writeNumberField("hashes", option.spec().hashes());
    json.writeNumberField("memoryBytes", option.spec().memoryBytes());
    if (option.spec().kind().parameters().contains(Parameter.MAX_FPR)) {
      json.writeNumberField("maxFpr", option.spec().maxFpr());
    }
    if (option.spec().kind().parameters().contains(Parameter.SHARE)) {
      json.writeNumberField("share", option.spec().get(Parameter.SHARE));
    }
    json.writeNumberField("fpr", option.prediction().fpr());
    json.writeNumberField("fnr", option.prediction().fnr());
  }
}
