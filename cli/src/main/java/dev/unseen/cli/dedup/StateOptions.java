package dev.unseen.cli.dedup;

import dev.unseen.commands.GivenOptions;
import java.time.Duration;
import java.util.List;

/**
 * What a run keeps for the next one.
 *
 * @param path the file; null if nothing is kept
 * @param saveNanos how often it is saved, in nanoseconds
 */
record StateOptions(String path, long saveNanos) {
  private static final Duration DEFAULT = Duration.ofSeconds(60);

  /** No run lasts as long, and a long cannot hold the nanoseconds of a longer time. */
  private static final Duration NEVER = Duration.ofDays(36_500);

  static StateOptions of(GivenOptions given) {
    String path = given.text("--state").orElse(null);
    for (String option : List.of("--save-every", "--sharded", "--grow")) {
      if (given.isGiven(option) && path == null) {
        throw new IllegalArgumentException(option + " needs --state, the file to save to");
      }
    }
    Duration every = given.duration("--save-every").orElse(DEFAULT);
    if (every.isZero()) {
      throw new IllegalArgumentException(
          "--save-every (%s) must be more than 0; leave it out to save every 60s"
              .formatted(given.text("--save-every").orElseThrow()));
    }
    return new StateOptions(path, every.compareTo(NEVER) < 0 ? every.toNanos() : Long.MAX_VALUE);
  }
}
