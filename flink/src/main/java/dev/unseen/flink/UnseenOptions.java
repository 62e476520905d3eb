package dev.unseen.flink;

import dev.unseen.GateConfig;
import dev.unseen.Option;
import dev.unseen.error.OptionException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The options of a deduplication in Flink's configuration: {@code unseen.memory: 1G} in a file, or
 * {@code flink run -Dunseen.memory=1G}. They apply to every deduplication of a job, except where
 * its builder sets the same option.
 */
public final class UnseenOptions {
  private static final String PREFIX = "unseen.";

  /** A filter in Flink always has shards, and shards have neither an audit nor reservations. */
  private static final Set<Option<?>> ELSEWHERE =
      Set.of(Option.CONCURRENT, Option.AUDIT, Option.RESERVATION_TIMEOUT, Option.MAX_RESERVATIONS);

  /** Options of which a builder sets one in place of another. */
  private static final List<Set<Option<?>>> ALTERNATIVES =
      List.of(Set.of(Option.MEMORY, Option.EXPECTED_KEYS), Set.of(Option.SECRET, Option.SEED));

  private UnseenOptions() {}

  /** Returns all options, in the order of {@link Option#all}. */
  public static List<ConfigOption<String>> all() {
    return options().stream().<ConfigOption<String>>map(UnseenOptions::of).toList();
  }

  private static List<Option<?>> options() {
    return Option.all().stream().filter(option -> !ELSEWHERE.contains(option)).toList();
  }

  /**
   * Returns an option as one of Flink: {@code configuration.set(UnseenOptions.of(Option.MEMORY),
   * "1G")}. Its value is a text, as {@link Option#parse} reads it.
   */
  public static ConfigOption<String> of(Option<?> option) {
    return ConfigOptions.key(key(option.name()))
        .stringType()
        .noDefaultValue()
        .withDescription(option.help());
  }

  private static String key(String name) {
    return PREFIX + Option.hyphenated(name);
  }

  /**
   * Reads the options that are set.
   *
   * @throws IllegalArgumentException if there is no such option, or a value cannot be used
   */
  public static GateConfig read(ReadableConfig configuration) {
    requireKnown(configuration);
    GateConfig config = GateConfig.EMPTY;
    for (Option<?> option : options()) {
      Optional<String> text = configuration.getOptional(of(option));
      try {
        config = text.isPresent() ? config.withText(option, text.get()) : config;
      } catch (OptionException e) {
        throw new IllegalArgumentException(e.describe(UnseenOptions::key), e);
      }
    }
    return config;
  }

  private static void requireKnown(ReadableConfig configuration) {
    Set<String> known = all().stream().map(ConfigOption::key).collect(Collectors.toSet());
    for (String key : configuration.toMap().keySet()) {
      if (key.startsWith(PREFIX) && !known.contains(key)) {
        throw new IllegalArgumentException(
            "option '%s' is unknown; known: %s"
                .formatted(key, known.stream().sorted().collect(Collectors.joining(", "))));
      }
    }
  }

  /** Returns the options of a builder, and those of the configuration that it does not set. */
  static GateConfig complete(GateConfig builder, ReadableConfig configuration) {
    GateConfig config = read(configuration);
    for (Set<Option<?>> alternatives : ALTERNATIVES) {
      if (alternatives.stream().anyMatch(builder::has)) {
        for (Option<?> option : alternatives) {
          config = config.without(option);
        }
      }
    }
    return config.with(builder);
  }
}
