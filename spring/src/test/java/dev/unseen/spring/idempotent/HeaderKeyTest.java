package dev.unseen.spring.idempotent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys with quotes and without. */
class HeaderKeyTest {
  private static String key(String... values) {
    return HeaderKey.of("Key", List.of(values));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "q1|q1",
        "`\"q1\"`|q1",
        "` \"q1\" `|q1",
        "\"a b\"|a b",
        "\"a\\\"b\"|a\"b",
        "\"a\\\\\"|a\\",
        "a\"b|a\"b",
        "a\\b|a\\b",
        "\"a,b;c=1\"|a,b;c=1",
        "äöü|äöü"
      })
  void a_quoted_key_is_the_text_between_its_quotes(String value, String key) {
    assertThat(key(value)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"",
        "\"a",
        "\"a\\\"",
        "\"a\\",
        "\"a\\b\"",
        "\"a\"b",
        "\"a\", \"b\"",
        "\"a\";b=1",
        "\"ä\"",
        "\"a\tb\""
      })
  void a_malformed_quoted_key_is_rejected(String value) {
    assertThatThrownBy(() -> key(value))
        .isInstanceOf(MalformedKeyException.class)
        .hasMessageContaining("the header Key starts with a quote");
  }

  @Test
  void no_text_is_no_key() {
    assertThat(key()).isNull();
    assertThat(key("")).isNull();
    assertThat(key("\"\"")).isNull();
    assertThat(key("\" \"")).isNull();
    assertThatThrownBy(() -> key("a", "a")).isInstanceOf(MalformedKeyException.class);
  }
}
