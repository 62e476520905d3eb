package dev.unseen.flink;

import dev.unseen.Gate;
import dev.unseen.Measure;
import dev.unseen.Report;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Shows the measures of a gate in Flink's metrics, in the group {@code unseen} of the operator:
 * {@code unseen.estimatedFpr}. One report serves all measures for a second, since it asks every
 * shard. Any thread may ask.
 */
final class FlinkMeasures {
  private static final String GROUP = "unseen";
  private static final long FRESH_NANOS = 1_000_000_000;

  private final Gate gate;
  private Report report;
  private long reportedAt;

  FlinkMeasures(Gate gate) {
    this.gate = gate;
  }

  /** Adds all measures to the metrics of an operator. */
  void register(MetricGroup operator) {
    MetricGroup group = operator.addGroup(GROUP);
    Measure.all().stream()
        .filter(measure -> !measure.isOfAudit()) // shards have no audit
        .forEach(measure -> group.gauge(measure.jsonName(), gauge(measure)));
  }

  private Gauge<Double> gauge(Measure measure) {
    return () -> measure.valueIn(report()).orElse(Double.NaN);
  }

  private synchronized Report report() {
    long now = System.nanoTime();
    if (report == null || now - reportedAt > FRESH_NANOS) {
      report = gate.report();
      reportedAt = now;
    }
    return report;
  }
}
