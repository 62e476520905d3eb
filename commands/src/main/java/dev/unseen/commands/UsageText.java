package dev.unseen.commands;

import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes what is wrong with a command line. */
public final class UsageText {
  private UsageText() {}

  /** Returns a sentence without a capital or a full stop, to follow {@code unseen: }. */
  public static String of(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched);
    }
    if (e instanceof MissingParameterException missing && missing.getMissing().size() == 1) {
      ArgSpec argument = missing.getMissing().get(0);
      if (argument.arity().min() > 1) {
        return "%s must be given at least %d times"
            .formatted(argument.paramLabel(), argument.arity().min());
      }
    }
    String message = String.valueOf(e.getMessage());
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }

  private static String unknown(UnmatchedArgumentException unmatched) {
    String argument = unmatched.getUnmatched().get(0);
    CommandSpec command = unmatched.getCommandLine().getCommandSpec();
    if (!argument.startsWith("-")) {
      return "unexpected argument '%s'".formatted(argument);
    }
    String option = argument.replaceFirst("=.*", "");
    String value = valueOf(option, unmatched);
    List<String> similar =
        Suggestion.of(option, command.optionsMap().keySet()).stream()
            .map(name -> hasValue(name, value, command) ? name + "=" + value : name)
            .toList();
    return "unknown option '%s'".formatted(option)
        + Suggestion.question(similar, name -> name.contains("="))
            .map(question -> "; " + question)
            .orElse("");
  }

  /** Returns the argument after an unknown option; empty if there is none. */
  private static String valueOf(String option, UnmatchedArgumentException unmatched) {
    List<String> all = unmatched.getCommandLine().getParseResult().originalArgs();
    int at = all.indexOf(option);
    return at >= 0 && at + 1 < all.size() ? all.get(at + 1) : "";
  }

  /** Returns whether this is one of the few values that an option knows. */
  private static boolean hasValue(String name, String value, CommandSpec command) {
    OptionSpec option = command.optionsMap().get(name);
    Iterable<String> values = option == null ? null : option.completionCandidates();
    return values != null
        && StreamSupport.stream(values.spliterator(), false).anyMatch(value::equals);
  }
}
