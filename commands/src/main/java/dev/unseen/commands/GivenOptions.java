package dev.unseen.commands;

import dev.unseen.text.Parse;
import java.io.Serializable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options of a command line as text, by their long names. Each command converts them once into
 * its own record, and sends them to other processes as text.
 *
 * @param values the values; that of a flag is empty
 */
public record GivenOptions(Map<String, String> values) implements Serializable {
  /** Copies the map. */
  public GivenOptions {
    values = Map.copyOf(values);
  }

  /** Returns what picocli has parsed; the last value of an option counts. */
  public static GivenOptions of(ParseResult line) {
    Map<String, String> values = new HashMap<>();
    for (OptionSpec option : line.matchedOptions()) {
      List<String> texts = option.stringValues();
      boolean flag = option.arity().max() == 0;
      values.put(option.longestName(), flag ? "" : texts.get(texts.size() - 1));
    }
    return new GivenOptions(values);
  }

  /** Returns those of the options that have one of these names. */
  public GivenOptions only(Collection<String> names) {
    Map<String, String> some = new HashMap<>(values);
    some.keySet().retainAll(names);
    return new GivenOptions(some);
  }

  /** Returns whether an option was given. */
  public boolean isGiven(String option) {
    return values.containsKey(option);
  }

  /** Returns the value of an option, if it was given. */
  public Optional<String> text(String option) {
    return Optional.ofNullable(values.get(option));
  }

  /**
   * Returns the value of an option that has one of a few values.
   *
   * @param known the values; the first is the default
   * @throws IllegalArgumentException if another value was given
   */
  public String oneOf(String option, String... known) {
    String value = values.getOrDefault(option, known[0]);
    if (!List.of(known).contains(value)) {
      throw new IllegalArgumentException(
          "%s '%s' is unknown; known: %s".formatted(option, value, String.join(", ", known)));
    }
    return value;
  }

  /**
   * Returns the value of an option that is a number from 1 on.
   *
   * @throws IllegalArgumentException if it is not a number, or out of range; the message has the
   *     remedy
   */
  public int number(String option, int most, int otherwise, String remedy) {
    String text = values.get(option);
    try {
      int number = text == null ? otherwise : Integer.parseInt(text);
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "%s (%s) must be a number from 1 to %d; %s".formatted(option, text, most, remedy));
  }

  /**
   * Rejects two options that name the same place.
   *
   * @throws IllegalArgumentException if two do
   */
  public void requireDifferent(String... options) {
    Map<String, String> earlier = new HashMap<>(); // options by their places
    for (String option : options) {
      String place = values.get(option);
      String other = place == null ? null : earlier.putIfAbsent(place, option);
      if (other != null) {
        throw new IllegalArgumentException(
            "%s and %s are both '%s', so their records would mix; name two places"
                .formatted(other, option, place));
      }
    }
  }

  /** Returns the value of an option that is a time, if it was given. */
  public Optional<Duration> duration(String option) {
    return text(option).map(text -> Parse.duration(option, text));
  }
}
