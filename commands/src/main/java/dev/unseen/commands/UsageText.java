package dev.unseen.commands;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes what is wrong with a command line. */
public final class UsageText {
  private static final Pattern CONVERSION =
      Pattern.compile("cannot convert '(.*)' to .*? \\([\\w.]+Exception: (.*)\\)$", Pattern.DOTALL);

  /** Two ways in which the library says that there are too few arguments. */
  private static final Pattern TOO_FEW =
      Pattern.compile(
          "positional parameter at index \\S+ \\((\\w+)\\) requires at least (\\d+) values, .*"
              + "|Expected parameter \\d+ \\(of (\\d+) mandatory parameters\\) for positional parameter"
              + " at index \\S+ \\((\\w+)\\) but found .*",
          Pattern.DOTALL);

  private UsageText() {}

  /** Returns a sentence without a capital or a full stop, to follow {@code unseen: }. */
  public static String of(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched);
    }
    Matcher tooFew = TOO_FEW.matcher(e.getMessage());
    if (tooFew.matches()) {
      boolean first = tooFew.group(1) != null;
      return "%s must be given at least %s times"
          .formatted(tooFew.group(first ? 1 : 4), tooFew.group(first ? 2 : 3));
    }
    // The library names the type that a value should have had, and what Java has thrown.
    String message = CONVERSION.matcher(e.getMessage()).replaceFirst("cannot use '$1': $2");
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
