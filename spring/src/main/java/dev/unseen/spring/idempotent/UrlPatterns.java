package dev.unseen.spring.idempotent;

import java.util.Set;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Patterns of paths as servlet filters have them: {@code /orders} is one path, {@code /orders/*} is
 * it and all below, {@code *.json} is all with this suffix.
 */
final class UrlPatterns {
  private static final String NAME = "unseen.idempotency.filter.url-patterns";

  private final Set<String> patterns;

  private UrlPatterns(Set<String> patterns) {
    this.patterns = patterns;
  }

  /**
   * Checks patterns.
   *
   * @throws InvalidConfigurationPropertyValueException if one of them could never match
   */
  static UrlPatterns of(Set<String> patterns) {
    for (String pattern : patterns) {
      String plain =
          pattern.startsWith("*.")
              ? pattern.substring(1)
              : pattern.endsWith("/*") ? pattern.substring(0, pattern.length() - 1) : pattern;
      boolean rooted = pattern.startsWith("/") || pattern.startsWith("*.");
      if (!rooted || plain.contains("*") || (pattern.startsWith("*.") && plain.contains("/"))) {
        throw new InvalidConfigurationPropertyValueException(
            NAME, pattern, "a pattern must be /path, /path/* (with all paths below) or *.suffix");
      }
    }
    return new UrlPatterns(patterns);
  }

  /** Returns whether one of the patterns matches a decoded path. */
  boolean match(String path) {
    return patterns.stream().anyMatch(pattern -> matches(pattern, path));
  }

  private static boolean matches(String pattern, String path) {
    if (pattern.startsWith("*.")) {
      return path.endsWith(pattern.substring(1));
    }
    if (pattern.endsWith("/*")) {
      String parent = pattern.substring(0, pattern.length() - 2);
      return path.equals(parent) || path.startsWith(parent + "/");
    }
    return path.equals(pattern);
  }
}
