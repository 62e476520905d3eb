package dev.unseen;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.Capacity;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import dev.unseen.text.Print;
import dev.unseen.text.Require;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Holds what the user has set about the filter, and derives the spec from it. */
final class SpecOptions {
  private static final FilterKind DEFAULT_KIND = FilterKind.RECENCY;

  final Map<Parameter<?>, Object> parameters = new LinkedHashMap<>();
  FilterKind kind; // null: not set
  long memoryBytes; // 0: not set
  double maxFpr; // 0: not set
  long expectedKeys; // 0: not set
  Duration lateness; // null: not set
  boolean eventTime;
  Long seed; // null: not set
  private Secret secret; // null: not set, nor drawn yet
  private boolean secretIsSet;
  HashKind hash; // null: not set

  void requireHashes(int k) {
    FilterKind any = kind == null ? DEFAULT_KIND : kind;
    if (k < 1) {
      throw new IllegalArgumentException(
          "hashes (%d) must be %s for %s"
              .formatted(k, any.maxHashes() == 1 ? "1" : "1 to " + any.maxHashes(), any.id()));
    }
  }

  void secret(Secret key) {
    secret = key;
    secretIsSet = true;
  }

  /** Sets the secret of the spec, unless there is a seed. If no secret was set, one is drawn. */
  private FilterSpec keyed(FilterSpec spec) {
    if (seed != null) {
      if (secretIsSet) {
        throw new IllegalArgumentException(
            "seed (%d) makes results repeatable by anyone, and a secret makes them unpredictable; leave one of them out"
                .formatted(seed));
      }
      return spec;
    }
    if (secret == null) {
      secret = Secret.random(); // kept, so that a second spec is equal to the first
    }
    return spec.withSecret(secret);
  }

  double maxFprOr(double otherwise) {
    return maxFpr > 0 ? maxFpr : otherwise;
  }

  /**
   * Returns the spec of a new filter.
   *
   * @param sharded whether the filter will be in shards, which need some memory each
   */
  FilterSpec spec(boolean sharded) {
    if (memoryBytes == 0 && expectedKeys == 0) {
      throw new IllegalArgumentException(
          "memory is not set; set the bytes that the filter may use, such as memory(MiB(64)), or the number of keys that it must hold, such as expectedKeys(1_000_000)");
    }
    return keyed(specOver(null, sharded));
  }

  /**
   * Returns the spec of a saved filter with the values that the user has set.
   *
   * @param sharded whether the saved filter is in shards
   */
  FilterSpec specLike(FilterSpec saved, boolean sharded) {
    FilterSpec like = specOver(saved, sharded);
    if (seed != null || secretIsSet) {
      return keyed(like);
    }
    return saved.secret().isPresent()
        ? like.withSecret(saved.secret().get())
        : like.withHash(like.hash(), saved.seed());
  }

  /**
   * Returns the spec from what was set, then from the saved spec (which may be null), then from the
   * defaults.
   */
  private FilterSpec specOver(FilterSpec saved, boolean sharded) {
    FilterKind chosen = kind != null ? kind : saved != null ? saved.kind() : DEFAULT_KIND;
    FilterSpec.Builder spec = FilterSpec.builder(chosen, memory(chosen, saved, sharded));
    if (saved != null) {
      spec.hash(saved.hash()).seed(saved.seed());
      if (saved.kind() == chosen) {
        chosen.parameters().forEach(parameter -> take(parameter, saved, spec));
      }
    }
    if (hash != null) {
      spec.hash(hash);
    }
    if (seed != null) {
      spec.seed(seed);
    }
    if (maxFpr > 0 && chosen.parameters().contains(Parameter.MAX_FPR)) {
      Require.that(
          maxFpr >= FilterSpec.MIN_MAX_FPR && maxFpr <= FilterSpec.MAX_MAX_FPR,
          "maxFalsePositiveRate",
          Print.share(maxFpr),
          "%s to %s for %s"
              .formatted(
                  Print.share(FilterSpec.MIN_MAX_FPR),
                  Print.share(FilterSpec.MAX_MAX_FPR),
                  chosen.id()));
      spec.maxFpr(maxFpr);
    }
    if (expectedKeys > 0 && chosen == FilterKind.BLOOM) {
      spec.expectedKeys(expectedKeys);
    }
    parameters.forEach((parameter, value) -> set(parameter, value, spec));
    if (parameters.containsKey(Parameter.WINDOW)) {
      spec.window(window());
    } else if (lateness != null && saved != null && saved.window().isTime()) {
      spec.window(saved.window().withLateness(lateness));
    }
    return spec.build();
  }

  /** Returns the window that was set, with the lateness that it allows. */
  private Window window() {
    Window window = (Window) parameters.getOrDefault(Parameter.WINDOW, Window.NONE);
    if (lateness != null) {
      if (!eventTime || !window.isTime()) {
        throw new IllegalArgumentException(
            "maxLateness (%s) is for windows of event time; leave it out, or set eventTime and a window of time"
                .formatted(Print.duration(lateness)));
      }
      return window.withLateness(lateness);
    }
    return eventTime && window.isTime() && window.lateness() == 0
        ? window.withLateness(Duration.ofMillis(window.length()))
        : window;
  }

  private static <T> void take(Parameter<T> parameter, FilterSpec from, FilterSpec.Builder to) {
    to.set(parameter, from.get(parameter));
  }

  @SuppressWarnings("unchecked") // the builder took a value of the parameter's type
  private static <T> void set(Parameter<T> parameter, Object value, FilterSpec.Builder to) {
    if (parameter == Parameter.HASHES) {
      to.hashes((Integer) value);
    } else {
      to.set(parameter, (T) value);
    }
  }

  private long memory(FilterKind chosen, FilterSpec saved, boolean sharded) {
    if (expectedKeys == 0) {
      return memoryBytes != 0 ? memoryBytes : saved.memoryBytes();
    }
    long needed = memoryForKeys(chosen);
    if (memoryBytes == 0) {
      long least = sharded ? ShardedFilter.SHARDS * FilterSpec.MIN_MEMORY_BYTES : 0;
      return Math.max(needed, least);
    }
    if (memoryBytes < needed) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "memory (%,d bytes) must be at least %,d bytes for expectedKeys (%,d); leave memory out, and the filter gets what it needs, or leave expectedKeys out, and it holds as many keys as fit",
              memoryBytes,
              needed,
              expectedKeys));
    }
    return memoryBytes;
  }

  /** Returns the memory that the expected keys need at least. */
  private long memoryForKeys(FilterKind chosen) {
    if (memoryBytes != 0 && chosen == FilterKind.BLOOM) {
      return 0; // the keys choose k, and the alarm watches the rate
    }
    if (memoryBytes != 0 && chosen != FilterKind.RECENCY) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expectedKeys (%,d) must be left out for %s, which forgets keys at random, however much memory it has; it is for recency and bloom",
              expectedKeys,
              chosen.id()));
    }
    Window window = window();
    return Capacity.memoryFor(chosen, expectedKeys, maxFprOr(FilterSpec.DEFAULT_MAX_FPR), window);
  }
}
