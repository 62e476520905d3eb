package dev.unseen.server.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.draw.PageTemplate;
import dev.unseen.server.command.Context;
import dev.unseen.server.command.RequestStats;
import dev.unseen.server.command.ServerInfo;
import dev.unseen.server.command.ServerMeasure;
import dev.unseen.server.command.SlowLog;
import dev.unseen.server.net.EventStream;
import dev.unseen.server.net.Pages;
import dev.unseen.server.net.Pages.Page;
import dev.unseen.server.net.Pages.Query;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.server.store.Traffic;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The live page at {@code /}, updated every second, and what its script requests. {@code live.js}
 * describes the events.
 */
public final class LivePage {
  private static final int MAX_FILTERS = 100;
  private static final JsonFactory JSON = new JsonFactory();

  private final Context context;
  private final Keyspace keyspace;
  private final RequestStats stats;
  private final Supplier<String> clientCommand;
  private final EventStream events = new EventStream(this::event);
  private String html; // null: not requested yet

  /**
   * Creates the page.
   *
   * @param clientCommand returns the shell command that connects to this server
   */
  public LivePage(Context context, Supplier<String> clientCommand) {
    this.context = context;
    this.keyspace = context.keyspace();
    this.stats = context.clients().stats();
    this.clientCommand = clientCommand;
  }

  /** Adds the page and what it needs. */
  public Pages addTo(Pages pages) {
    return pages
        .add("/", () -> new Page(200, "text/html; charset=utf-8", html()))
        .add("/events", events)
        .add("/history", this::history)
        .add("/try", this::ask);
  }

  private synchronized String html() {
    if (html == null) {
      try {
        html =
            new PageTemplate(LivePage.class)
                .text("client-command", clientCommand.get())
                .text("version", ServerInfo.VERSION)
                .fill("index.html");
      } catch (IOException e) {
        throw new UncheckedIOException(e); // the resource is in the same jar
      }
    }
    return html;
  }

  /** Sends the current figures to all open pages. */
  public void tick() {
    events.send();
  }

  private String event() {
    List<FilterHealth> filters = FilterHealth.all(keyspace, context.traffic());
    Verdict verdict = Verdict.of(context, filters);
    return json(
        json -> {
          json.writeNumberField("millis", System.currentTimeMillis());
          json.writeStringField("severity", verdict.severity().name());
          json.writeStringField("verdict", verdict.text());
          json.writeObjectFieldStart("server");
          for (ServerMeasure measure : ServerMeasure.all()) {
            double value = measure.value(context);
            if (!Double.isNaN(value)) {
              json.writeNumberField(measure.name(), value);
            }
          }
          json.writeEndObject();
          json.writeNumberField(
              "errors", stats.errors().values().stream().mapToLong(count -> count).sum());
          requests(json);
          filters(json, filters);
          json.writeArrayFieldStart("slow");
          for (SlowLog.Slow slow : context.slowLog().entries()) {
            json.writeStartObject();
            json.writeStringField("command", slow.command());
            json.writeNumberField("micros", slow.micros());
            json.writeNumberField("millis", slow.millis());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  /** Writes the most urgent filters, and the traffic of all. */
  private void filters(JsonGenerator json, List<FilterHealth> filters) throws IOException {
    long fresh = 0;
    long duplicates = 0;
    json.writeArrayFieldStart("filters");
    for (int i = 0; i < filters.size(); i++) {
      Traffic.Second last = context.traffic().lastOf(filters.get(i).filter());
      fresh += last.fresh();
      duplicates += last.duplicates();
      if (i < MAX_FILTERS) {
        json.writeStartObject();
        filter(json, filters.get(i), last);
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeNumberField("fresh", fresh);
    json.writeNumberField("duplicates", duplicates);
  }

  /** Writes how many requests took at most each of some times, in seconds; the last is null. */
  private void requests(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("requestsWithin");
    for (Map.Entry<Double, Long> bucket : stats.requestsWithin().entrySet()) {
      json.writeStartArray();
      if (bucket.getKey().isInfinite()) {
        json.writeNull();
      } else {
        json.writeNumber(bucket.getKey());
      }
      json.writeNumber(bucket.getValue());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static void filter(JsonGenerator json, FilterHealth health, Traffic.Second last)
      throws IOException {
    Report report = health.report();
    json.writeStringField("severity", health.severity().name());
    json.writeStringField("advice", health.text());
    json.writeNumberField("held", report.estimatedCardinality());
    json.writeNumberField("fits", health.keysThatFit());
    if (health.secondsUntilFull().isPresent()) {
      json.writeNumberField("fullIn", health.secondsUntilFull().getAsLong());
    }
    json.writeStringField("name", health.filter().shownName());
    json.writeStringField("about", report.spec().describe());
    json.writeStringField(
        "window", report.spec().window().isNone() ? "" : report.spec().window().toString());
    json.writeNumberField("fresh", last.fresh());
    json.writeNumberField("duplicates", last.duplicates());
    json.writeNumberField("evictedEarly", health.evictedEarly());
    json.writeArrayFieldStart("alarms");
    for (Enum<?> alarm : report.alarms()) {
      json.writeString(alarm.name());
    }
    json.writeEndArray();
    json.writeObjectFieldStart("measures");
    for (Measure measure : Measure.all()) {
      json.writeFieldName(measure.jsonName());
      json.writeRawValue(measure.text(report));
    }
    json.writeEndObject();
  }

  /** The traffic of the last hour: of one filter, or of all together. */
  private Page history(Query query) {
    Optional<String> name = query.get("filter");
    int[] fresh = new int[Traffic.SECONDS];
    int[] duplicates = new int[Traffic.SECONDS];
    for (ServedFilter filter : keyspace.all()) {
      if (name.isEmpty() || name.get().equals(filter.shownName())) {
        context.traffic().addTo(filter, fresh, duplicates);
      }
    }
    return page(
        200,
        json -> {
          json.writeFieldName("fresh");
          json.writeArray(fresh, 0, fresh.length);
          json.writeFieldName("duplicates");
          json.writeArray(duplicates, 0, duplicates.length);
        });
  }

  /** Returns a page that says whether a filter has seen an item. Changes nothing. */
  private Page ask(Query query) {
    String name = query.get("filter").orElse("");
    Optional<ServedFilter> found =
        keyspace.all().stream().filter(filter -> filter.shownName().equals(name)).findFirst();
    Optional<String> item = query.get("item");
    if (found.isEmpty() || item.isEmpty()) {
      String trouble =
          item.isEmpty() ? "the item is missing" : "filter '%s' does not exist".formatted(name);
      return page(404, json -> json.writeStringField("trouble", trouble));
    }
    ServedFilter filter = found.get();
    boolean seen =
        filter.contains(new Item(filter.hash().hash(item.get()), item.get().getBytes(UTF_8)));
    double rate = filter.report().estimatedFpr();
    return page(
        200,
        json -> {
          json.writeBooleanField("seen", seen);
          json.writeNumberField("estimatedFpr", rate);
        });
  }

  /** Writes the fields of an object. */
  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private static Page page(int status, Fields fields) {
    return new Page(status, "application/json", json(fields));
  }

  private static String json(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not fail
    }
    return text.toString();
  }
}
