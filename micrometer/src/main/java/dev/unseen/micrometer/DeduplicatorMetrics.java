package dev.unseen.micrometer;

import dev.unseen.Deduplicator;
import dev.unseen.Report;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.MeasuredRate;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Shows a deduplicator to Micrometer.
 *
 * <pre>{@code
 * DeduplicatorMetrics metrics = new DeduplicatorMetrics(dedup, Tags.of("stream", "clicks"));
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>Meters: {@code unseen.records} by {@code verdict} (new, duplicate), {@code unseen.load},
 * {@code unseen.fpr.estimated}, {@code unseen.memory}, {@code unseen.window.coverage}; with an
 * audit {@code unseen.fpr.audited} and {@code unseen.fnr.audited}, each by {@code bound} (rate,
 * low, high); and {@code unseen.save}, the time that {@link #save} takes.
 *
 * <p>Values are read while others may admit, without a lock, so they may be a moment old.
 */
public final class DeduplicatorMetrics implements MeterBinder {
  private final Deduplicator<?> dedup;
  private final Iterable<Tag> tags;
  private Timer saves; // null: not bound yet

  /** Of this deduplicator, with tags that tell it from others. */
  public DeduplicatorMetrics(Deduplicator<?> dedup, Iterable<Tag> tags) {
    this.dedup = Objects.requireNonNull(dedup, "dedup is null");
    this.tags = Objects.requireNonNull(tags, "tags is null; Tags.empty() is none");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "new", Deduplicator::admitted);
    counter(registry, "duplicate", any -> any.records() - any.admitted());
    gauge(registry, "unseen.load", "", "", "Share of the memory in use", Deduplicator::load);
    gauge(
        registry,
        "unseen.fpr.estimated",
        "",
        "",
        "Chance that a new record is lost, by the load",
        Deduplicator::estimatedFpr);
    gauge(
        registry, "unseen.memory", "", "bytes", "Memory of the filter", Deduplicator::memoryBytes);
    gauge(
        registry,
        "unseen.window.coverage",
        "",
        "",
        "Share of the window that keys are kept for",
        Deduplicator::windowCoverage);
    if (dedup.report().audit().isPresent()) {
      rates(registry, "unseen.fpr.audited", "New records lost, measured", AuditReport::fpr);
      rates(registry, "unseen.fnr.audited", "Duplicates let through, measured", AuditReport::fnr);
    }
    saves =
        Timer.builder("unseen.save").tags(tags).description("Saving the state").register(registry);
  }

  /** Saves the state, as {@link Deduplicator#save} does, and records how long that took. */
  public void save(Path file, Map<String, String> texts) throws IOException {
    if (saves == null) {
      throw new IllegalStateException("the metrics are not bound; call bindTo(registry) first");
    }
    long began = System.nanoTime();
    dedup.save(file, texts);
    saves.record(Duration.ofNanos(System.nanoTime() - began));
  }

  private void counter(
      MeterRegistry registry, String verdict, ToDoubleFunction<Deduplicator<?>> count) {
    FunctionCounter.builder("unseen.records", dedup, count)
        .tags(tags)
        .tag("verdict", verdict)
        .description("Records taken in")
        .register(registry);
  }

  private void rates(
      MeterRegistry registry,
      String name,
      String description,
      Function<AuditReport, MeasuredRate> rate) {
    bound(registry, name, "rate", description, rate, MeasuredRate::rate);
    bound(registry, name, "low", description, rate, MeasuredRate::low);
    bound(registry, name, "high", description, rate, MeasuredRate::high);
  }

  private void bound(
      MeterRegistry registry,
      String name,
      String bound,
      String description,
      Function<AuditReport, MeasuredRate> rate,
      ToDoubleFunction<MeasuredRate> value) {
    gauge(
        registry,
        name,
        bound,
        "",
        description,
        any -> {
          Report report = any.report();
          return report.audit().map(rate).map(value::applyAsDouble).orElse(Double.NaN);
        });
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String bound,
      String unit,
      String description,
      ToDoubleFunction<Deduplicator<?>> value) {
    Gauge.builder(name, dedup, value)
        .tags(tags)
        .tags(bound.isEmpty() ? Tags.empty() : Tags.of("bound", bound))
        .baseUnit(unit.isEmpty() ? null : unit)
        .description(description)
        .register(registry);
  }
}
