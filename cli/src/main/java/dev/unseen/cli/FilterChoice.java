package dev.unseen.cli;

import dev.unseen.Memory;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;

/** The one place where options become the spec of a filter. */
final class FilterChoice {
  static final String DEFAULT_MEMORY = "64M";
  static final String DEFAULT_KIND = "rlbsbf";
  static final String DEFAULT_SEED = "0";

  private FilterChoice() {}

  /** The spec that the options ask for. */
  static FilterSpec of(DedupOptions options) throws Failure {
    try {
      FilterKind kind = FilterKind.of(options.get("--kind", DEFAULT_KIND));
      long memory = Memory.parse(options.get("--memory", DEFAULT_MEMORY));
      FilterSpec.Builder spec = FilterSpec.builder(kind, memory).seed(seed(options));
      if (options.has("--hashes")) {
        spec.hashes(hashes(options, kind));
      }
      return spec.build();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage(), e);
    }
  }

  private static int hashes(DedupOptions options, FilterKind kind) {
    String text = options.get("--hashes", "");
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "hashes (%s) must be 1 to %d for %s".formatted(text, kind.maxHashes(), kind.id()), e);
    }
  }

  private static long seed(DedupOptions options) {
    String text = options.get("--seed", DEFAULT_SEED);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "seed (%s) must be a whole number of at most 64 bits".formatted(text), e);
    }
  }
}
