package dev.unseen.cli;

import dev.unseen.Memory;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.hash.HashKind;
import dev.unseen.text.Parse;

/** The one place where options become the spec of a filter. */
final class FilterChoice {
  static final String DEFAULT_MEMORY = "64M";

  /** What suits a stream of which nothing is known: {@link FilterKind#RECENCY}. */
  static final String AUTO = "auto";

  static final String DEFAULT_SEED = "0";

  private FilterChoice() {}

  /** The spec that the options ask for. */
  static FilterSpec of(DedupOptions options) throws Failure {
    try {
      FilterKind kind = kind(options.get("--kind", AUTO));
      long memory = Memory.parse(options.get("--memory", DEFAULT_MEMORY));
      FilterSpec.Builder spec = FilterSpec.builder(kind, memory).seed(seed(options));
      if (options.has("--hashes")) {
        spec.hashes(hashes(options, kind));
      }
      if (options.has("--max-fpr")) {
        spec.maxFpr(rate(options, "--max-fpr"));
      }
      if (options.has("--hash")) {
        spec.hash(HashKind.of(options.get("--hash", "")));
      }
      if (options.has("--share")) {
        spec.share(rate(options, "--share"));
      }
      if (options.has("--window")) {
        spec.window(Window.parse(options.get("--window", "")));
      }
      if (options.has("--refresh") || options.has("--no-refresh")) {
        spec.refresh(options.has("--refresh") ? Refresh.ALWAYS : Refresh.NEVER);
      }
      return spec.build();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage(), e);
    }
  }

  private static FilterKind kind(String id) {
    return id.equalsIgnoreCase(AUTO) ? FilterKind.RECENCY : FilterKind.of(id);
  }

  /** {@code 1e-4}, {@code 0.01%}. */
  private static double rate(DedupOptions options, String option) {
    return Parse.share(option.substring(2), options.get(option, ""));
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
