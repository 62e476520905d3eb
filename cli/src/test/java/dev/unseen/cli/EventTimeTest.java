package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EventTimeTest {
  private static long millis(String text) {
    byte[] bytes = ("<" + text + ">").getBytes(UTF_8);
    return EventTime.millis(bytes, 1, bytes.length - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1763247060, 1763247060000",
    "1763247060.25, 1763247060250",
    "1763247060250, 1763247060250",
    "1763247060250999, 1763247060250",
    "1763247060250999000, 1763247060250",
    "-5, -5000",
    "1.76324706e9, 1763247060000",
    "2025-11-15T22:51:00Z, 1763247060000",
    "2025-11-15T22:51:00.250Z, 1763247060250",
    "2025-11-15T23:51:00+01:00, 1763247060000",
    "2025-11-15 22:51:00, 1763247060000",
    "2025-11-15, 1763164800000",
  })
  void reads_numbers_and_dates(String text, long expected) {
    assertThat(millis(text)).isEqualTo(expected);
  }

  @Test
  void refuses_what_is_no_time() {
    for (String text : new String[] {"", "yesterday", "2025-13-01", "12:30"}) {
      assertThatThrownBy(() -> millis(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("time '" + text + "' is neither a number");
    }
  }
}
