package dev.unseen.spring;

import dev.unseen.Deduplicator;
import dev.unseen.DeduplicatorBuilder;
import dev.unseen.Key;
import dev.unseen.Memory;
import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Makes a builder from properties. The options are set one after the other and tried each time, so
 * that a refusal names the property whose value was one too much.
 */
final class NamedOptions<T> {
  private static final long DEFAULT_MEMORY = Memory.MiB(16);
  private static final long LEAST_MEMORY = ShardedFilter.SHARDS * FilterSpec.MIN_MEMORY_BYTES;

  private final String prefix;
  private final boolean sized; // whether the properties say how large the filter is
  private final DeduplicatorBuilder<T> builder;
  private final DeduplicatorBuilder<T> tried; // has the default memory, which a state may override

  private NamedOptions(String prefix, boolean sized, Key<T> key) {
    this.prefix = prefix;
    this.sized = sized;
    this.builder = Deduplicator.builder(key).concurrent();
    this.tried = Deduplicator.builder(key).concurrent();
    if (!sized) {
      tried.memory(DEFAULT_MEMORY);
    }
  }

  /**
   * Sets the options.
   *
   * @throws InvalidConfigurationPropertyValueException if one is refused
   */
  static <T> NamedOptions<T> of(String prefix, DeduplicatorProperties properties, Key<T> key) {
    boolean sized = properties.getMemory() != null || properties.getExpectedKeys() != null;
    NamedOptions<T> options = new NamedOptions<>(prefix, sized, key);
    options.requireLimits(properties);
    options.set("memory", properties.getMemory(), (b, size) -> b.memory(size.toBytes()));
    if (properties.getKind() != null) {
      options.tried.kind(properties.getKind()); // which decides what the expected keys need
    }
    options.set("expected-keys", properties.getExpectedKeys(), (b, keys) -> b.expectedKeys(keys));
    options.set("kind", properties.getKind(), (b, kind) -> b.kind(kind));
    options.set(
        "max-false-positive-rate",
        properties.getMaxFalsePositiveRate(),
        (b, rate) -> b.maxFalsePositiveRate(rate));
    options.set("window", properties.getWindow(), (b, time) -> b.window(Window.time(time)));
    options.set("refresh", properties.getRefresh(), (b, refresh) -> b.refresh(refresh));
    options.set("hash", properties.getHash(), (b, hash) -> b.hash(hash));
    options.secret(properties.getSecret());
    options.set("seed", properties.getSeed(), (b, seed) -> b.seed(seed));
    options.set("audit", properties.getAudit(), (b, one) -> b.audit(AuditSpec.parse(one)));
    options.set(
        "reservation-timeout",
        properties.getReservationTimeout(),
        (b, timeout) -> b.reservationTimeout(timeout));
    options.set(
        "max-reservations", properties.getMaxReservations(), (b, most) -> b.maxReservations(most));
    return options;
  }

  /** Refuses what core would refuse too, in words for properties: core's are for Java. */
  private void requireLimits(DeduplicatorProperties properties) {
    require(
        "memory",
        properties.getMemory(),
        size -> size.toBytes() >= LEAST_MEMORY,
        "it must be at least 8,192 bytes, 64 for each of 128 shards; set 8KB or more");
    require(
        "expected-keys",
        properties.getExpectedKeys(),
        keys -> keys >= 1,
        "it must be at least 1; leave it out if the number of keys is not known");
    boolean bounded =
        properties.getKind() == null
            || properties.getKind().parameters().contains(Parameter.MAX_FPR);
    require(
        "max-false-positive-rate",
        properties.getMaxFalsePositiveRate(),
        rate ->
            bounded
                ? rate >= FilterSpec.MIN_MAX_FPR && rate <= FilterSpec.MAX_MAX_FPR
                : rate > 0 && rate < 1,
        "it must be %s, such as 1e-4".formatted(bounded ? "1e-9 to 0.01" : "above 0 and below 1"));
    require(
        "window",
        properties.getWindow(),
        window -> window.compareTo(Duration.ofMillis(Window.STEPS)) >= 0,
        "it must be at least 8ms; leave it out to keep keys as long as the memory holds them");
    require(
        "reservation-timeout",
        properties.getReservationTimeout(),
        timeout -> timeout.compareTo(Duration.ofMillis(1)) >= 0,
        "it must be at least 1ms, such as 1m");
    require(
        "max-reservations",
        properties.getMaxReservations(),
        most -> most >= 1,
        "it must be at least 1, such as 100000");
  }

  private <V> void require(String name, V value, Predicate<V> holds, String limit) {
    if (value != null && !holds.test(value)) {
      throw new InvalidConfigurationPropertyValueException(prefix + "." + name, value, limit);
    }
  }

  private <V> void set(String name, V value, BiConsumer<DeduplicatorBuilder<T>, V> option) {
    if (value == null) {
      return;
    }
    try {
      option.accept(tried, value);
      requireRoom(tried.spec());
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          prefix + "." + name, value, e.getMessage());
    }
    option.accept(builder, value);
  }

  /** Refuses what the heap has no room for, before memory is allocated. */
  private static void requireRoom(FilterSpec spec) {
    long heap = Runtime.getRuntime().maxMemory();
    if (spec.memoryBytes() > heap) {
      throw new IllegalArgumentException(
          "memory (%s) must be less than the heap of this process (%s); set less, or raise -Xmx"
              .formatted(Print.bytes(spec.memoryBytes()), Print.bytes(heap)));
    }
  }

  /** Sets the secret, which no message shows. */
  private void secret(String digits) {
    if (digits == null) {
      return;
    }
    try {
      builder.secret(Secret.parse(digits));
      tried.secret(Secret.parse(digits));
    } catch (IllegalArgumentException e) {
      throw new BadOptionException(
          "The property %s.secret is refused: %s.".formatted(prefix, e.getMessage()),
          "Set 32 hexadecimal digits, or leave the property out: a secret is then drawn, and the state keeps it.",
          e);
    }
  }

  /** Returns the builder, for a saved state: what is not set is as it was saved. */
  DeduplicatorBuilder<T> forState() {
    return builder;
  }

  /** Returns the builder, for an empty filter. */
  DeduplicatorBuilder<T> forEmpty() {
    return sized ? builder : builder.memory(DEFAULT_MEMORY);
  }
}
