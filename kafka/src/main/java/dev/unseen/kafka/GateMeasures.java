package dev.unseen.kafka;

import dev.unseen.Measure;
import dev.unseen.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.Sensor.RecordingLevel;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * Shows the measures of a gate in Kafka's metrics, in the group {@code stream-unseen-metrics}:
 * {@code estimated-fpr}. A report is made when it is asked for.
 */
final class GateMeasures {
  static final String GROUP = "stream-unseen-metrics";
  private static final long FRESH_NANOS = 1_000_000_000;

  private final StreamsMetrics metrics;
  private final Sensor sensor;
  private final Supplier<Report> source;
  private Report report;
  private long reportedAt;

  GateMeasures(String store, String task, StreamsMetrics metrics, Supplier<Report> source) {
    this.metrics = metrics;
    this.source = source;
    String thread = Thread.currentThread().getName();
    this.sensor =
        metrics.addSensor("%s.unseen.%s.%s".formatted(thread, task, store), RecordingLevel.INFO);
    Map<String, String> tags = new LinkedHashMap<>();
    tags.put("thread-id", thread);
    tags.put("task-id", task);
    tags.put("unseen-id", store);
    for (Measure measure : Measure.all()) {
      if (!measure.isOfAudit()) {
        sensor.add(
            new MetricName(measure.name().replace('_', '-'), GROUP, measure.help(), tags),
            stat(measure));
      }
    }
  }

  private MeasurableStat stat(Measure measure) {
    return new MeasurableStat() {
      @Override
      public double measure(MetricConfig config, long now) {
        return measure.valueIn(report()).orElse(Double.NaN);
      }

      @Override
      public void record(MetricConfig config, double value, long now) {
        // It is measured on request.
      }
    };
  }

  /** Returns a report that is at most a second old. Any thread may ask. */
  synchronized Report report() {
    if (report == null || System.nanoTime() - reportedAt > FRESH_NANOS) {
      report = source.get();
      reportedAt = System.nanoTime();
    }
    return report;
  }

  void close() {
    metrics.removeSensor(sensor);
  }
}
