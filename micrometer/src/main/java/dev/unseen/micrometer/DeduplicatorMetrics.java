package dev.unseen.micrometer;

import dev.unseen.Deduplicator;
import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.SavedDeduplicator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the measures of a deduplicator to Micrometer.
 *
 * <pre>{@code
 * DeduplicatorMetrics metrics = new DeduplicatorMetrics(dedup, Tags.of("stream", "clicks"));
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>There is a meter for each {@link Measure}, under the same name as everywhere else: {@code
 * unseen.records}, {@code unseen.duplicates}, {@code unseen.estimated.fpr}. The measures of an
 * audit exist only if there is one. {@code unseen.save} is the time that saves take: those of a
 * {@link SavedDeduplicator}, which also has {@code unseen.save.failures} and {@code
 * unseen.last.save.timestamp}, or those that {@link #save} and {@link #saved} record.
 *
 * <p>Other threads may use the deduplicator while values are read, so the values may be a moment
 * old.
 */
public final class DeduplicatorMetrics implements MeterBinder {
  private final Deduplicator<?> dedup;
  private final Iterable<Tag> tags;
  private final @Nullable SavedDeduplicator<?> owner; // null: callers save
  private @Nullable Timer saves; // null: not bound yet

  /** Creates the metrics of this deduplicator, with tags that distinguish it from others. */
  public DeduplicatorMetrics(Deduplicator<?> dedup, Iterable<Tag> tags) {
    this(Objects.requireNonNull(dedup, "dedup is null"), tags, null);
  }

  /** Creates the metrics of a deduplicator and of its saves. */
  public DeduplicatorMetrics(SavedDeduplicator<?> saved, Iterable<Tag> tags) {
    this(Objects.requireNonNull(saved, "saved is null").deduplicator(), tags, saved);
  }

  private DeduplicatorMetrics(
      Deduplicator<?> dedup, Iterable<Tag> tags, @Nullable SavedDeduplicator<?> owner) {
    this.dedup = dedup;
    this.tags = Objects.requireNonNull(tags, "tags is null; Tags.empty() is none");
    this.owner = owner;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Report now = dedup.report();
    for (Measure measure : Measure.all()) {
      if (measure.valueIn(now).isPresent()) {
        bind(measure, registry);
      }
    }
    saves =
        Timer.builder("unseen.save").tags(tags).description("Saving the state").register(registry);
    if (owner != null) {
      bindSaves(owner, registry);
    }
  }

  private void bindSaves(SavedDeduplicator<?> saved, MeterRegistry registry) {
    saved.onSave(
        save -> {
          if (save.failure().isEmpty()) {
            saved(save.took());
          }
        });
    FunctionCounter.builder("unseen.save.failures", saved, SavedDeduplicator::failures)
        .tags(tags)
        .description("Saves that have failed")
        .register(registry);
    Gauge.builder("unseen.last.save.timestamp", saved, DeduplicatorMetrics::lastSave)
        .tags(tags)
        .baseUnit("seconds")
        .description("When the state was saved last, since 1970; NaN if not yet")
        .register(registry);
  }

  private static double lastSave(SavedDeduplicator<?> saved) {
    return saved.lastSave().map(save -> save.time().toEpochMilli() / 1000.0).orElse(Double.NaN);
  }

  private void bind(Measure measure, MeterRegistry registry) {
    if (measure.type() == Measure.Type.COUNTER) {
      FunctionCounter.builder(measure.dottedName(), dedup, any -> value(measure, any))
          .tags(tags)
          .description(measure.help())
          .register(registry);
    } else {
      Gauge.builder(measure.dottedName(), dedup, any -> value(measure, any))
          .tags(tags)
          .baseUnit(measure.unit().isEmpty() ? null : measure.unit())
          .description(measure.help())
          .register(registry);
    }
  }

  private static double value(Measure measure, Deduplicator<?> dedup) {
    return measure.valueIn(dedup.report()).orElse(Double.NaN);
  }

  /** Saves the state, as {@link Deduplicator#save} does, and records how long it took. */
  public void save(Path file, Map<String, String> texts) throws IOException {
    requireBound();
    long began = System.nanoTime();
    dedup.save(file, texts);
    saved(Duration.ofNanos(System.nanoTime() - began));
  }

  /** Records how long a save took, for callers that save the state. */
  public void saved(Duration took) {
    requireBound().record(took);
  }

  private Timer requireBound() {
    Timer bound = saves;
    if (bound == null) {
      throw new IllegalStateException("the metrics are not bound; call bindTo(registry) first");
    }
    return bound;
  }
}
