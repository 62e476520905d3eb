package dev.unseen.spring;

import dev.unseen.micrometer.DeduplicatorMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Binds the meters of all deduplicators, with its name as the tag {@code name}. */
final class UnseenMeterBinder implements MeterBinder {
  private final DeduplicatorFactory deduplicators;

  UnseenMeterBinder(DeduplicatorFactory deduplicators) {
    this.deduplicators = deduplicators;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    deduplicators.watch(managed -> bind(managed, registry));
  }

  private static void bind(ManagedDeduplicator managed, MeterRegistry registry) {
    DeduplicatorMetrics metrics =
        new DeduplicatorMetrics(managed.deduplicator(), Tags.of("name", managed.name()));
    metrics.bindTo(registry);
    FunctionCounter.builder(
            "unseen.rejected.reservations", managed, each -> each.rejected().count())
        .tag("name", managed.name())
        .description("Requests rejected because too many keys were reserved")
        .register(registry);
    managed
        .state()
        .ifPresent(
            state ->
                state.onSave(
                    save -> {
                      if (save.failure().isEmpty()) {
                        metrics.saved(save.took());
                      }
                    }));
  }
}
