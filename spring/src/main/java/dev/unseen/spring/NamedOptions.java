package dev.unseen.spring;

import dev.unseen.Deduplicator;
import dev.unseen.DeduplicatorBuilder;
import dev.unseen.GateConfig;
import dev.unseen.Key;
import dev.unseen.Memory;
import dev.unseen.Option;
import dev.unseen.audit.AuditSpec;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.error.OptionException;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.hash.Secret;
import dev.unseen.text.Print;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/** Maps properties to the options of a deduplicator, and reports errors by the property. */
final class NamedOptions<T> {
  private static final long DEFAULT_MEMORY = Memory.MiB(16);

  private final String prefix;
  private final Key<T> key;
  private final Map<String, Object> given = new LinkedHashMap<>(); // by the name of the option
  private GateConfig config = GateConfig.EMPTY.with(Option.CONCURRENT, true);

  private NamedOptions(String prefix, Key<T> key) {
    this.prefix = prefix;
    this.key = key;
  }

  /**
   * Sets the options.
   *
   * @throws InvalidConfigurationPropertyValueException if one is rejected
   * @throws BadOptionException if it is the secret
   */
  static <T> NamedOptions<T> of(String prefix, DeduplicatorProperties properties, Key<T> key) {
    NamedOptions<T> options = new NamedOptions<>(prefix, key);
    try {
      options.set(Option.MEMORY, properties.memory(), DataSize::toBytes);
      options.set(Option.EXPECTED_KEYS, properties.expectedKeys(), keys -> keys);
      options.set(Option.KIND, properties.kind(), kind -> kind);
      options.set(Option.MAX_FPR, properties.maxFalsePositiveRate(), rate -> rate);
      options.set(Option.WINDOW, properties.window(), Window::time);
      options.set(Option.REFRESH, properties.refresh(), refresh -> refresh);
      options.set(Option.HASH, properties.hash(), hash -> hash);
      options.set(Option.SECRET, properties.secret(), Secret::parse);
      options.set(Option.SEED, properties.seed(), seed -> seed);
      options.set(Option.AUDIT, properties.audit(), AuditSpec::parse);
      options.set(Option.RESERVATION_TIMEOUT, properties.reservationTimeout(), timeout -> timeout);
      options.set(Option.MAX_RESERVATIONS, properties.maxReservations(), most -> most);
      options.set(Option.ON_CHANGE, properties.onChange(), action -> action);
      options.set(Option.MAX_HANDOVER, properties.maxHandover(), time -> time);
      requireHeap(options.forEmpty().spec());
    } catch (OptionException e) {
      throw options.rejected(e);
    }
    return options;
  }

  private <P, V> void set(Option<V> option, P property, Function<P, V> value) {
    if (property != null) {
      given.put(option.name(), property);
      config = config.with(option, value.apply(property));
    }
  }

  private RuntimeException rejected(OptionException e) {
    if (e.option().equals(Option.SECRET.name())) { // Spring would show its value
      return new BadOptionException(
          "The property %s is rejected: it %s.".formatted(name(e.option()), e.advice(n -> n)),
          "Set 32 hexadecimal digits, or leave the property out: a secret is then drawn, and the state keeps it.",
          e);
    }
    return new InvalidConfigurationPropertyValueException(
        name(e.option()), given.getOrDefault(e.option(), e.value()), "It " + e.advice(this::name));
  }

  /** Returns the property of an option. */
  String name(String option) {
    return switch (option) {
      case OptionException.HEAP -> "java -Xmx";
      case DifferentOptionsException.GROW -> prefix + ".on-change=grow";
      default -> prefix + "." + Option.hyphenated(option);
    };
  }

  /** Rejects what the heap has no room for, before memory is allocated. */
  private static void requireHeap(FilterSpec spec) {
    long heap = Runtime.getRuntime().maxMemory();
    if (spec.memoryBytes() > heap) {
      throw OptionException.outOfRange(
              Option.MEMORY.name(),
              Print.bytes(spec.memoryBytes()),
              "less than the heap of this process (%s)".formatted(Print.bytes(heap)))
          .remedy("set less, or a larger heap ({" + OptionException.HEAP + "})");
    }
  }

  /** Returns the builder for a saved state: options that are not set are as they were saved. */
  DeduplicatorBuilder<T> forState() {
    return Deduplicator.builder(key).config(config);
  }

  /** Returns the builder for an empty filter. */
  DeduplicatorBuilder<T> forEmpty() {
    DeduplicatorBuilder<T> builder = forState();
    boolean sized = config.has(Option.MEMORY) || config.has(Option.EXPECTED_KEYS);
    return sized ? builder : builder.memory(DEFAULT_MEMORY);
  }
}
