package dev.unseen;

import dev.unseen.error.OptionException;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.Capacity;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Derives the spec of a filter from the options.
 *
 * @param config the options
 * @param drawn draws the secret if the options contain neither a secret nor a seed
 */
record ConfiguredSpec(GateConfig config, Supplier<Secret> drawn) {
  FilterSpec spec() {
    if (!config.has(Option.MEMORY) && !config.has(Option.EXPECTED_KEYS)) {
      throw OptionException.missing(
          "memory",
          "set the bytes that the filter may use, such as 64 MiB, or the number of keys that it must hold with {expectedKeys}");
    }
    boolean sharded = config.is(Option.CONCURRENT);
    FilterSpec spec = keyed(specOver(null, sharded));
    if (sharded) {
      ShardedFilter.requireDivisible(spec);
    }
    return spec;
  }

  FilterSpec like(Snapshot state) {
    FilterSpec saved = state.spec();
    FilterSpec like = specOver(saved, state.shards() > 1);
    if (config.has(Option.SEED) || config.has(Option.SECRET)) {
      return keyed(like);
    }
    return saved.secret().isPresent()
        ? like.withSecret(saved.secret().get())
        : like.withHash(like.hash(), saved.seed());
  }

  private FilterSpec keyed(FilterSpec spec) {
    if (!config.has(Option.SEED)) {
      return spec.withSecret(config.get(Option.SECRET).orElseGet(drawn));
    }
    if (config.has(Option.SECRET)) {
      throw OptionException.outOfRange(
              "seed",
              config.get(Option.SEED, 0L),
              "left out with a {secret}: a seed makes results repeatable by anyone, and a secret makes them unpredictable")
          .remedy("leave one of them out");
    }
    return spec;
  }

  /** Returns the spec from what is set, then from the saved spec, then from the defaults. */
  private FilterSpec specOver(@Nullable FilterSpec saved, boolean sharded) {
    FilterKind kind = config.get(Option.KIND, saved == null ? FilterKind.RECENCY : saved.kind());
    FilterSpec.Builder spec = FilterSpec.builder(kind, memory(kind, saved, sharded));
    if (saved != null) {
      spec.hash(saved.hash()).seed(saved.seed());
      if (saved.kind() == kind) {
        kind.parameters().forEach(parameter -> take(parameter, saved, spec));
      }
    }
    config.get(Option.HASH).ifPresent(spec::hash);
    config.get(Option.SEED).ifPresent(spec::seed);
    if (kind.parameters().contains(Parameter.MAX_FPR)) {
      config.get(Option.MAX_FPR).ifPresent(spec::maxFpr);
    }
    if (kind == FilterKind.BLOOM) {
      config.get(Option.EXPECTED_KEYS).ifPresent(spec::expectedKeys);
    }
    Option.all().forEach(option -> set(option, spec));
    if (config.has(Option.WINDOW)) {
      spec.window(window());
    } else if (config.has(Option.MAX_LATENESS) && saved != null && saved.window().isTime()) {
      spec.window(saved.window().withLateness(lateness()));
    }
    return spec.build();
  }

  private static <T> void take(Parameter<T> parameter, FilterSpec from, FilterSpec.Builder to) {
    to.set(parameter, from.get(parameter));
  }

  private <T> void set(Option<T> option, FilterSpec.Builder to) {
    option
        .parameter()
        .ifPresent(parameter -> config.get(option).ifPresent(value -> to.set(parameter, value)));
  }

  private Duration lateness() {
    return config.get(Option.MAX_LATENESS, Duration.ZERO);
  }

  private Window window() {
    Window window = config.get(Option.WINDOW, Window.NONE);
    boolean eventTime = config.is(Option.EVENT_TIME) && window.isTime();
    if (!config.has(Option.MAX_LATENESS)) {
      return eventTime ? window.withLateness(Duration.ofMillis(window.length())) : window;
    }
    if (!eventTime) {
      throw OptionException.outOfRange(
              "maxLateness",
              Print.duration(lateness()),
              "left out, unless there is a window of event time")
          .remedy("set {eventTime} and a {window} of time, or leave it out");
    }
    return window.withLateness(lateness());
  }

  private long memory(FilterKind kind, @Nullable FilterSpec saved, boolean sharded) {
    long set = config.get(Option.MEMORY, 0L);
    if (!config.has(Option.EXPECTED_KEYS)) {
      return set == 0 && saved != null ? saved.memoryBytes() : set;
    }
    long keys = config.get(Option.EXPECTED_KEYS, 0L);
    if (set == 0) {
      long least = sharded ? ShardedFilter.SHARDS * FilterSpec.MIN_MEMORY_BYTES : 0;
      return Math.max(memoryFor(kind, keys, sharded), least);
    }
    if (kind == FilterKind.BLOOM) {
      return set; // the keys choose k, and the alarm watches the rate
    }
    if (kind != FilterKind.RECENCY) {
      throw OptionException.outOfRange(
          "expectedKeys",
          String.format(Locale.ROOT, "%,d", keys),
          "left out for %s, which forgets keys at random, however much memory it has; it is for recency and bloom"
              .formatted(kind.id()));
    }
    long needed = memoryFor(kind, keys, sharded);
    if (set < needed) {
      throw OptionException.outOfRange(
              "memory",
              String.format(Locale.ROOT, "%,d bytes", set),
              String.format(
                  Locale.ROOT, "at least %,d bytes for {expectedKeys} (%,d)", needed, keys))
          .remedy(
              "leave {memory} out, and the filter gets what it needs, or leave {expectedKeys} out, and it holds as many keys as fit");
    }
    return set;
  }

  private long memoryFor(FilterKind kind, long keys, boolean sharded) {
    return Capacity.memoryFor(
        kind,
        keys,
        config.get(Option.MAX_FPR, FilterSpec.DEFAULT_MAX_FPR),
        window(),
        sharded ? ShardedFilter.SHARDS : 1);
  }
}
