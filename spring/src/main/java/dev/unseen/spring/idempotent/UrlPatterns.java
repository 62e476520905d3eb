package dev.unseen.spring.idempotent;

import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.PatternMatchUtils;

/**
 * Patterns of paths as servlet filters have them: {@code /orders} is one path, {@code /orders/*} is
 * it and all below, {@code *.json} is all with this suffix.
 */
record UrlPatterns(Set<String> patterns) {
  private static final String NAME = "unseen.idempotency.filter.url-patterns";
  private static final Pattern VALID = Pattern.compile("/\\*|/[^*]*(/\\*)?|\\*\\.[^*/]*");

  /**
   * Checks patterns.
   *
   * @throws InvalidConfigurationPropertyValueException if one of them could never match
   */
  static UrlPatterns of(Set<String> patterns) {
    for (String pattern : patterns) {
      if (!VALID.matcher(pattern).matches()) {
        throw new InvalidConfigurationPropertyValueException(
            NAME, pattern, "a pattern must be /path, /path/* (with all paths below) or *.suffix");
      }
    }
    return new UrlPatterns(patterns);
  }

  /** Returns whether one of the patterns matches a decoded path. */
  boolean match(String path) {
    return patterns.stream()
        .anyMatch(
            pattern -> PatternMatchUtils.simpleMatch(pattern, path) || pattern.equals(path + "/*"));
  }
}
