package dev.unseen.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in plain words what is wrong with a command line. */
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
      return unknown(unmatched.getUnmatched().get(0), unmatched.getSuggestions());
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

  private static String unknown(String argument, List<String> similar) {
    if (!argument.startsWith("-")) {
      return "unexpected argument '%s'".formatted(argument);
    }
    return similar.isEmpty()
        ? "unknown option '%s'".formatted(argument)
        : "unknown option '%s'; did you mean %s?".formatted(argument, similar.get(0));
  }
}
