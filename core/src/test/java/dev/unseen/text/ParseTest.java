package dev.unseen.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ParseTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1e9       | 1000000000",
        "1E+6      | 1000000",
        "1_000_000 | 1000000",
        "1,000,000 | 1000000",
        "5M        | 5000000",
        "2.5k      | 2500",
        "1G        | 1000000000",
        "1b        | 1000000000",
        "1T        | 1000000000000",
        "2.5 million | 2500000",
        "1 Billion | 1000000000",
        "3 trillion | 3000000000000",
        "10 thousand | 10000",
        "7         | 7",
      })
  void a_count_is_read_as_people_write_it(String text, long count) {
    assertThat(Parse.count("--records", text)).isEqualTo(count);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "-5", "1e", "5MM", "1__0", "0x10", "NaN", "1e-3", "_1"})
  void what_is_no_count_is_rejected(String text) {
    assertThatThrownBy(() -> Parse.count("--records", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--records '%s' must be a whole number from 1 to below 1e18, such as 1e9, 1_000_000 or 5M",
            text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.5", "1.5", "1.2345k", "1e18", "1e99"})
  void a_count_has_limits(String text) {
    assertThatThrownBy(() -> Parse.count("--universe", text))
        .hasMessageStartingWith(
            "--universe '%s' must be a whole number from 1 to below 1e18, such as", text);
  }

  @Test
  void a_share_may_be_a_percent() {
    assertThat(Parse.share("--repeats", "0.6")).isEqualTo(0.6);
    assertThat(Parse.share("--repeats", "60%")).isEqualTo(0.6);
    assertThat(Parse.share("--repeats", "0.01 %")).isEqualTo(1e-4);
    assertThat(Parse.share("--repeats", ".5")).isEqualTo(0.5);
    assertThat(Parse.share("--repeats", "1e-4")).isEqualTo(1e-4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "%", "2", "101%", "-0.1", "NaN", "few", "1d", "0x1p-3"})
  void what_is_no_share_is_rejected(String text) {
    assertThatThrownBy(() -> Parse.share("--max-fpr", text))
        .hasMessageStartingWith("--max-fpr '%s' must be a share from 0 to 1", text);
  }

  @Test
  void a_part_is_a_share_up_to_one_and_a_count_above() {
    assertThat(Parse.part("--distinct", "0.6", 1000)).isEqualTo(600);
    assertThat(Parse.part("--distinct", "60%", 1000)).isEqualTo(600);
    assertThat(Parse.part("--distinct", "1e-2", 1000)).isEqualTo(10);
    assertThat(Parse.part("--distinct", "1", 1000)).isEqualTo(1000);
    assertThat(Parse.part("--distinct", "2000", 1000)).isEqualTo(2000);
    assertThat(Parse.part("--distinct", "5k", 1e6)).isEqualTo(5000);
    assertThatThrownBy(() -> Parse.part("--distinct", "half", 1000))
        .hasMessageStartingWith("--distinct 'half' must be a whole number");
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, 500",
    "90s, 90000",
    "15m, 900000",
    "24h, 86400000",
    "7d, 604800000",
    "1.5h, 5400000",
    "15 m, 900000",
    "0s, 0"
  })
  void a_time_is_read_as_people_write_it(String text, long millis) {
    assertThat(Parse.duration("--save-every", text)).isEqualTo(Duration.ofMillis(millis));
    assertThat(Parse.isDuration(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "soon", "10", "10M", "-5s", "5 weeks", "1e3s", "9223372036854775807d"})
  void what_is_no_time_is_rejected(String text) {
    assertThatThrownBy(() -> Parse.duration("--save-every", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--save-every '%s' must be a time, such as 500ms, 90s, 15m, 24h or 7d", text);
  }

  @Test
  void one_in_how_many_is_a_fraction() {
    assertThat(Parse.oneIn("audit", "1/1024")).isEqualTo(1024);
    assertThat(Parse.oneIn("audit", " 1 / 1_000 ")).isEqualTo(1000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"often", "1/", "2/3", "1/0", "1/2/3", "0.5"})
  void what_is_not_one_in_how_many_is_rejected(String text) {
    assertThatThrownBy(() -> Parse.oneIn("audit", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("audit '%s' must be one in a whole number, such as 1/1024", text);
  }
}
