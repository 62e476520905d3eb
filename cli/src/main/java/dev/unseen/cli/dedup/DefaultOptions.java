package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import java.util.ArrayList;
import java.util.List;

/**
 * Options that the user has set once, in the variable {@code UNSEEN_OPTS}. They come before those
 * of the command line, where the last one counts.
 */
final class DefaultOptions {
  static final String VARIABLE = "UNSEEN_OPTS";

  private DefaultOptions() {}

  /** Returns the words of a text, as a shell would see them: quotes and backslashes keep blanks. */
  static List<String> words(String text) throws CliException {
    List<String> words = new ArrayList<>();
    StringBuilder word = null; // null: between words
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote == 0 && Character.isWhitespace(c)) {
        if (word != null) {
          words.add(word.toString());
          word = null;
        }
        continue;
      }
      word = word == null ? new StringBuilder() : word;
      if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
        word.append(text.charAt(++i));
      } else {
        word.append(c);
      }
    }
    if (quote != 0) {
      throw CliException.usage(
          "%s has an opening %s without a closing one".formatted(VARIABLE, quote), null);
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }

  /**
   * Returns a failure that names these options too if the command line is wrong: what is wrong may
   * be among them, and they are not in sight.
   */
  static CliException named(CliException failure, String text) {
    return failure.isUsage()
        ? CliException.usage(
            "%s (%s adds: %s)".formatted(failure.getMessage(), VARIABLE, text.strip()), failure)
        : failure;
  }

  /** Returns the arguments with these options before them. */
  static String[] before(String[] args, String text) throws CliException {
    List<String> all = words(text);
    for (String word : all) {
      if (word.equals("--")) {
        throw CliException.usage(VARIABLE + " has '--'; it can hold options, but no files", null);
      }
    }
    all.addAll(List.of(args));
    return all.toArray(String[]::new);
  }
}
