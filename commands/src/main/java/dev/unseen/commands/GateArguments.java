package dev.unseen.commands;

import dev.unseen.GateConfig;
import dev.unseen.GateConfig.OnChange;
import dev.unseen.Option;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.error.OptionException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Model.OptionSpec;

/** Maps the options of a filter to the options of a command line. */
public final class GateArguments {
  /** The names that differ from those in Java by more than hyphens. */
  private static final Map<String, String> NAMES =
      Map.of(
          Option.MAX_FPR.name(),
          "--max-fpr",
          Option.LATE_RECORDS.name(),
          "--late",
          Option.EVENT_TIME.name(),
          "--time",
          Option.CONCURRENT.name(),
          "--sharded",
          Option.SECRET.name(),
          "--secret-file",
          Option.ON_CHANGE.name(),
          "--grow",
          OptionException.HEAP,
          "UNSEEN_JAVA_OPTS=-XmxSIZE");

  private GateArguments() {}

  /** Returns the name of an option on the command line. */
  public static String name(String option) {
    if (!option.matches("[a-z][A-Za-z-]*")) {
      return option; // it has its dashes, or is not an option
    }
    return NAMES.getOrDefault(option, "--" + Option.hyphenated(option));
  }

  /**
   * Declares an option.
   *
   * @param more what to add to the description, such as the default of the command
   * @param letters other names, such as {@code -m}
   */
  public static OptionSpec.Builder declare(Option<?> option, String more, String... letters) {
    String[] names = new String[letters.length + 1];
    System.arraycopy(letters, 0, names, 0, letters.length);
    names[letters.length] = name(option.name());
    OptionSpec.Builder spec =
        isFlag(option)
            ? RecordArguments.flag(names)
            : RecordArguments.value(option.placeholder(), names);
    if (!isFlag(option) && !option.choices().isEmpty()) {
      spec.completionCandidates(option.choices());
    }
    return spec.description(more.isEmpty() ? option.help() : option.help() + " " + more);
  }

  /**
   * Returns those of these options that were given.
   *
   * @param given returns the value of an option by its name on the command line
   * @throws OptionException if a value cannot be used
   */
  public static GateConfig config(
      Function<String, Optional<String>> given, List<Option<?>> options) {
    GateConfig config = GateConfig.EMPTY;
    for (Option<?> option : options) {
      Optional<String> text = given.apply(name(option.name()));
      if (text.isPresent()) {
        config = config.withText(option, isFlag(option) ? setBy(option) : text.get());
      }
    }
    return config;
  }

  private static boolean isFlag(Option<?> option) {
    return option.isFlag() || option == Option.ON_CHANGE;
  }

  /** Returns the value that a flag stands for. */
  private static String setBy(Option<?> flag) {
    return flag == Option.ON_CHANGE ? Option.ON_CHANGE.print(OnChange.GROW) : "true";
  }

  /** Returns the message of an exception about options, with their names on the command line. */
  public static String message(IllegalArgumentException e) {
    if (e instanceof OptionException option) {
      return option.describe(GateArguments::name);
    }
    if (e instanceof DifferentOptionsException different) {
      return different.describe(GateArguments::name);
    }
    return IoMessages.message(e);
  }
}
