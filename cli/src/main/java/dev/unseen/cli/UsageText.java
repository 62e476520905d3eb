package dev.unseen.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in plain words what is wrong with a command line. */
public final class UsageText {
  private static final Pattern CONVERSION =
      Pattern.compile("cannot convert '(.*)' to .*? \\([\\w.]+Exception: (.*)\\)$", Pattern.DOTALL);

  private UsageText() {}

  /** Returns a sentence without a capital or a full stop, to follow {@code unseen: }. */
  public static String of(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched.getUnmatched().get(0), unmatched.getSuggestions());
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
