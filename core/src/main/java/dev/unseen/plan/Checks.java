package dev.unseen.plan;

import java.util.Locale;

/** Refusals that name the value and the limit. */
final class Checks {
  private Checks() {}

  static void require(boolean holds, String name, Object value, String limit) {
    if (!holds) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s (%s) must be %s", name, value, limit));
    }
  }
}
