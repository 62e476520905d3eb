package dev.unseen.lab.stream;

import dev.unseen.text.Require;

/** Checks the parameters of streams, with the same messages for all. */
final class Limits {
  private Limits() {}

  /** Rejects a number of keys that is not between 1 and the limit. */
  static void keys(long keys, long most, String whatIsMost) {
    Require.that(
        keys >= 1 && keys <= most, "keys", keys, "1 to %d, %s".formatted(most, whatIsMost));
  }

  /** Rejects a share that is not at least 0 and below 1. */
  static void share(String name, double share) {
    Require.that(share >= 0 && share < 1, name, share, "at least 0 and below 1");
  }
}
