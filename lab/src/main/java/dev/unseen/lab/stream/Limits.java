package dev.unseen.lab.stream;

import java.util.Locale;

/** Checks the parameters of streams, with the same messages for all. */
final class Limits {
  private Limits() {}

  /** Rejects a number of keys that is not between 1 and the limit. */
  static void keys(long keys, long most, String whatIsMost) {
    if (keys < 1 || keys > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "keys (%d) must be 1 to %d, %s", keys, most, whatIsMost));
    }
  }

  /** Rejects a share that is not at least 0 and below 1. */
  static void share(String name, double share) {
    if (!(share >= 0 && share < 1)) {
      throw new IllegalArgumentException(
          "%s (%s) must be at least 0 and below 1".formatted(name, share));
    }
  }
}
