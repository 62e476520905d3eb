package dev.unseen.spring.idempotent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of paths, which mean the same with servlets and in WebFlux. */
class UrlPatternsTest {
  @ParameterizedTest
  @CsvSource({
    "/*, /, true",
    "/*, /a/b, true",
    "/orders, /orders, true",
    "/orders, /orders/1, false",
    "/orders/*, /orders, true",
    "/orders/*, /orders/, true",
    "/orders/*, /orders/1/2, true",
    "/orders/*, /orders2, false",
    "*.json, /a/b.json, true",
    "*.json, /a/json, false"
  })
  void a_pattern_is_a_path_all_below_it_or_a_suffix(String pattern, String path, boolean matches) {
    assertThat(UrlPatterns.of(Set.of(pattern)).match(path)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "orders", "orders/*", "/orders/**", "/*/orders", "/a*", "*", "*./a"})
  void a_pattern_that_could_never_match_is_rejected(String pattern) {
    assertThatThrownBy(() -> UrlPatterns.of(Set.of(pattern)))
        .hasMessageContaining("unseen.idempotency.filter.url-patterns");
  }
}
