package dev.unseen.server.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.unseen.Measure;
import dev.unseen.draw.PageTemplate;
import dev.unseen.server.command.Context;
import dev.unseen.server.command.ProcessMemory;
import dev.unseen.server.command.RequestStats;
import dev.unseen.server.command.ServerInfo;
import dev.unseen.server.command.SlowLog;
import dev.unseen.server.durable.Durability;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The live page at {@code /}, updated every second, and what its script requests. {@code live.js}
 * describes the events.
 */
public final class LivePage {
  private static final int MAX_FILTERS = 100;
  private static final JsonFactory JSON = new JsonFactory();

  private final Context context;
  private final Keyspace keyspace;
  private final Traffic traffic;
  private final RequestStats stats;
  private final Supplier<String> clientCommand;
  private final EventStream events = new EventStream(this::event);
  private String html; // null: not requested yet

  /**
   * Creates the page.
   *
   * @param clientCommand returns the shell command that connects to this server
   */
  public LivePage(Context context, Traffic traffic, Supplier<String> clientCommand) {
    this.context = context;
    this.keyspace = context.keyspace();
    this.traffic = traffic;
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
    return json(
        json -> {
          json.writeNumberField("millis", System.currentTimeMillis());
          json.writeNumberField("usedMemory", keyspace.budget().used());
          json.writeNumberField("maxMemory", keyspace.budget().filterLimit());
          json.writeNumberField("clients", context.clients().count());
          json.writeNumberField("requests", context.clients().requests());
          json.writeNumberField("lastSaveMillis", durable(Durability::lastSaveMillis));
          json.writeNumberField("lastSaveNanos", durable(Durability::lastSaveNanos));
          json.writeNumberField("journalBytes", durable(Durability::journalBytes));
          json.writeNumberField("residentBytes", ProcessMemory.residentBytes().orElse(0));
          json.writeNumberField(
              "errors", stats.errors().values().stream().mapToLong(count -> count).sum());
          requests(json);
          List<Row> rows = rows(FilterView.all(keyspace, traffic));
          Verdict verdict = Verdict.of(context, rows.stream().map(Row::health).toList());
          json.writeStringField("severity", verdict.severity().name());
          json.writeStringField("verdict", verdict.text());
          json.writeNumberField("filterCount", rows.size());
          json.writeArrayFieldStart("filters");
          for (Row row : rows.subList(0, Math.min(MAX_FILTERS, rows.size()))) {
            json.writeStartObject();
            filter(json, row);
            json.writeEndObject();
          }
          json.writeEndArray();
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

  private long durable(ToLongFunction<Durability> figure) {
    return context.durability().map(figure::applyAsLong).orElse(0L);
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

  /** A filter, and whether it has room. */
  private record Row(FilterView filter, FilterHealth health) {}

  /** Returns the filters, the most urgent first, then those with most items. */
  private static List<Row> rows(List<FilterView> filters) {
    return filters.stream()
        .map(filter -> new Row(filter, FilterHealth.of(filter)))
        .sorted(
            Comparator.comparing((Row row) -> row.health.severity())
                .reversed()
                .thenComparing(row -> -row.filter.report().records()))
        .toList();
  }

  private static void filter(JsonGenerator json, Row row) throws IOException {
    FilterView filter = row.filter;
    json.writeStringField("severity", row.health.severity().name());
    json.writeStringField("advice", row.health.text());
    json.writeNumberField("held", filter.report().estimatedCardinality());
    json.writeNumberField("fits", filter.keysThatFit());
    if (row.health.secondsUntilFull().isPresent()) {
      json.writeNumberField("fullIn", row.health.secondsUntilFull().getAsLong());
    }
    json.writeStringField("name", filter.name());
    json.writeStringField("about", filter.report().spec().describe());
    json.writeStringField(
        "window",
        filter.report().spec().window().isNone() ? "" : filter.report().spec().window().toString());
    json.writeNumberField("fresh", filter.last().fresh());
    json.writeNumberField("duplicates", filter.last().duplicates());
    json.writeNumberField("evictedEarly", filter.evictedEarly());
    json.writeArrayFieldStart("alarms");
    for (Enum<?> alarm : filter.report().alarms()) {
      json.writeString(alarm.name());
    }
    json.writeEndArray();
    json.writeObjectFieldStart("measures");
    for (Measure measure : Measure.all()) {
      json.writeFieldName(measure.jsonName());
      json.writeRawValue(measure.text(filter.report()));
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
        Traffic.Seconds seconds = traffic.of(filter);
        add(seconds.fresh(), fresh);
        add(seconds.duplicates(), duplicates);
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

  private static void add(int[] more, int[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += more[i];
    }
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
