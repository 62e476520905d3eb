package dev.unseen.spring;

import dev.unseen.Measure;
import dev.unseen.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** Shows the report of each deduplicator, with all measures. */
@Endpoint(id = "unseen")
record UnseenEndpoint(DeduplicatorFactory deduplicators) {
  /** Returns the reports of all deduplicators by name. */
  @ReadOperation
  public Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    deduplicators.all().forEach(managed -> all.put(managed.name(), show(managed)));
    return Map.of("deduplicators", all);
  }

  /** Returns the report of one deduplicator, or null if there is none of this name. */
  @ReadOperation
  public Map<String, Object> one(@Selector String name) {
    return deduplicators.all().stream()
        .filter(managed -> managed.name().equals(name))
        .findFirst()
        .map(UnseenEndpoint::show)
        .orElse(null);
  }

  private static Map<String, Object> show(ManagedDeduplicator managed) {
    Report report = managed.deduplicator().report();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("filter", report.spec().describe());
    for (Measure measure : Measure.all()) {
      measure.valueIn(report).ifPresent(value -> shown.put(measure.jsonName(), number(value)));
    }
    shown.put("rejectedReservations", managed.rejected().count());
    shown.put("alarms", managed.problems(report));
    shown.putAll(managed.saves());
    return shown;
  }

  /** Returns a number as JSON shows it, or null if it is not known. */
  private static Number number(double value) {
    if (Double.isNaN(value)) {
      return null;
    }
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return whole ? (Number) (long) value : (Number) value;
  }
}
