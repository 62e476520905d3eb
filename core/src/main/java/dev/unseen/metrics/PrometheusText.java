package dev.unseen.metrics;

import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.text.Print;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Properties;

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

  private static final String VERSION = version();

  private final StringBuilder lines = new StringBuilder();

  public PrometheusText() {}

  public PrometheusText report(Report report) {
    return samples(Map.of("", report));
  }

  /** Adds all measures of several reports, each with the value of a label. */
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
        OptionalDouble value = measure.valueIn(each.getValue());
        if (value.isEmpty()) {
          continue;
        }
        if (!headed) {
          head(measure.prometheusName(), measure.type(), measure.help());
          headed = true;
        }
        sample(measure.prometheusName(), each.getKey(), value.getAsDouble());
      }
    }
    return this;
  }

  public PrometheusText number(String name, Measure.Type type, String help, long value) {
    return number(name, type, help, (double) value);
  }

  /** Adds a single number. */
  public PrometheusText number(String name, Measure.Type type, String help, double value) {
    head(name, type, help);
    sample(name, "", value);
    return this;
  }

  /** Adds {@code unseen_build_info}, whose label is the version of this library. */
  public PrometheusText buildInfo() {
    String name = "unseen_build_info";
    head(name, Measure.Type.GAUGE, "Version of Unseen; the value is always 1");
    sample(name, label("version", VERSION), 1);
    return this;
  }

  private static String version() {
    Properties build = new Properties();
    try (InputStream in =
        PrometheusText.class.getResourceAsStream("/dev/unseen/version.properties")) {
      if (in != null) { // a jar that was put together from others may lack it
        build.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("version", "unknown");
  }

  private void head(String name, Measure.Type type, String help) {
    String typeName = type == Measure.Type.COUNTER ? "counter" : "gauge";
    lines.append("# HELP ").append(name).append(' ').append(help).append('\n');
    lines.append("# TYPE ").append(name).append(' ').append(typeName).append('\n');
  }

  private void sample(String name, String label, double value) {
    lines.append(name).append(label).append(' ').append(Print.number(value)).append('\n');
  }

  /** Returns {@code {name="value"}}, with what would end the value or the line escaped. */
  private static String label(String name, String value) {
    String safe = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return "{%s=\"%s\"}".formatted(name, safe);
  }

  @Override
  public String toString() {
    return lines.toString();
  }
}
