package dev.unseen.commands;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds what a mistyped name was meant to be. A name is similar if one letter in three or fewer has
 * to be added, left out, replaced or swapped with its neighbor; nothing is guessed beyond that.
 */
public final class Suggestion {
  private static final int LETTERS_PER_ERROR = 3;
  private static final int SHORTEST = 3; // letters: any two names of one letter are similar

  private Suggestion() {}

  /** Returns the known names that are nearest to a name; empty if none is similar. */
  public static List<String> of(String name, Collection<String> known) {
    String typed = letters(name);
    int most = Math.max(1, typed.length() / LETTERS_PER_ERROR);
    int nearest =
        known.stream().mapToInt(each -> distance(typed, letters(each))).min().orElse(most + 1);
    return typed.length() < SHORTEST || nearest > most
        ? List.of()
        : known.stream()
            .filter(each -> letters(each).length() >= SHORTEST)
            .filter(each -> distance(typed, letters(each)) == nearest)
            .sorted()
            .toList();
  }

  /** Returns a question to end a message with; empty if none of the known names is similar. */
  public static Optional<String> question(String name, Collection<String> known) {
    return question(of(name, known), any -> false);
  }

  /**
   * Returns a question to end a message with; empty if there is no name.
   *
   * @param likely names that are asked for alone if there are any
   */
  public static Optional<String> question(List<String> names, Predicate<String> likely) {
    List<String> best = names.stream().filter(likely).toList();
    List<String> asked = best.isEmpty() ? names : best;
    return asked.isEmpty()
        ? Optional.empty()
        : Optional.of("did you mean %s?".formatted(String.join(" or ", asked)));
  }

  private static String letters(String name) {
    return name.replaceFirst("^-+", "").toLowerCase(Locale.ROOT);
  }

  /** Returns the number of errors between two words, a swap of neighbors counting as one. */
  private static int distance(String a, String b) {
    int[][] errors = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          errors[i][j] = i + j;
          continue;
        }
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int least = errors[i - 1][j - 1] + (same ? 0 : 1);
        least = Math.min(least, Math.min(errors[i - 1][j], errors[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        errors[i][j] = swapped ? Math.min(least, errors[i - 2][j - 2] + 1) : least;
      }
    }
    return errors[a.length()][b.length()];
  }
}
