package dev.unseen;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes reports and single numbers in the text format that Prometheus reads.
 *
 * <pre>{@code
 * String page = new PrometheusText().report(gate.report()).toString();
 * }</pre>
 */
public final class PrometheusText {
  /** The media type of the text. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder lines = new StringBuilder();

  /** Creates an empty text. */
  public PrometheusText() {}

  /** Adds all measures of a report. */
  public PrometheusText report(Report report) {
    return samples(Map.of("", report));
  }

  /**
   * Adds all measures of several reports. A label tells them apart.
   *
   * @param label the name of the label, such as {@code filter}
   * @param reports by the value of the label
   */
  public PrometheusText reports(String label, Map<String, Report> reports) {
    Map<String, Report> labelled = new LinkedHashMap<>();
    reports.forEach((name, report) -> labelled.put(label(label, name), report));
    return samples(labelled);
  }

  /** Adds all measures of the reports; all samples of a measure stand together. */
  private PrometheusText samples(Map<String, Report> byLabel) {
    for (Measure measure : Measure.all()) {
      boolean headed = false;
      for (Map.Entry<String, Report> each : byLabel.entrySet()) {
        if (measure.valueIn(each.getValue()).isEmpty()) {
          continue;
        }
        if (!headed) {
          head(measure.prometheusName(), measure.type(), measure.help());
          headed = true;
        }
        sample(measure.prometheusName(), each.getKey(), measure.text(each.getValue()));
      }
    }
    return this;
  }

  /** Adds a single number. */
  public PrometheusText number(String name, Measure.Type type, String help, long value) {
    head(name, type, help);
    sample(name, "", Long.toString(value));
    return this;
  }

  private void head(String name, Measure.Type type, String help) {
    String typeName = type == Measure.Type.COUNTER ? "counter" : "gauge";
    lines.append("# HELP ").append(name).append(' ').append(help).append('\n');
    lines.append("# TYPE ").append(name).append(' ').append(typeName).append('\n');
  }

  private void sample(String name, String label, String value) {
    lines.append(name).append(label).append(' ').append(value).append('\n');
  }

  /** Returns {@code {name="value"}}, with signs before what would end the value or the line. */
  private static String label(String name, String value) {
    String safe = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return "{%s=\"%s\"}".formatted(name, safe);
  }

  /** Returns the text. */
  @Override
  public String toString() {
    return lines.toString();
  }
}
