package dev.unseen.kafka;

import dev.unseen.Gate;
import dev.unseen.Measure;
import dev.unseen.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.Sensor.RecordingLevel;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * Shows the measures of a gate in Kafka's metrics, in the group {@code stream-unseen-metrics}:
 * {@code estimated-fpr}. The thread that uses the gate makes a report every second, which any
 * thread can read.
 */
final class GateMeasures {
  static final String GROUP = "stream-unseen-metrics";
  private static final long FRESH_NANOS = 1_000_000_000;
  private static final int LOOK_EVERY = 1 << 10; // calls, since the clock is slower than a call

  private final StreamsMetrics metrics;
  private final Sensor sensor;
  private volatile Report report;
  private long reportedAt;
  private int calls;

  GateMeasures(String store, String task, StreamsMetrics metrics) {
    this.metrics = metrics;
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
        return measure.valueIn(report).orElse(Double.NaN);
      }

      @Override
      public void record(MetricConfig config, double value, long now) {
        // It is measured on request.
      }
    };
  }

  /** Makes a new report, if the last one is old. */
  void refreshAtTimes(Gate gate) {
    if (++calls % LOOK_EVERY == 0 && System.nanoTime() - reportedAt > FRESH_NANOS) {
      refresh(gate);
    }
  }

  void refresh(Gate gate) {
    report = gate.report();
    reportedAt = System.nanoTime();
  }

  /** Returns the last report. Any thread may ask. */
  Report report() {
    return report;
  }

  void close() {
    metrics.removeSensor(sensor);
  }
}
