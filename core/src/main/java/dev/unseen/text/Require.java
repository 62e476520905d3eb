package dev.unseen.text;

import dev.unseen.error.OptionException;

/**
 * Rejects values that are out of their limits, with a message that names the value and the limit.
 */
public final class Require {
  private Require() {}

  /** Throws {@code NAME (VALUE) must be LIMIT} unless a condition holds. */
  public static void that(boolean holds, String name, Object value, String limit) {
    if (!holds) {
      throw OptionException.outOfRange(name, value, limit);
    }
  }
}
