package dev.unseen.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QuantityTest {
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
        "7         | 7",
      })
  void a_count_is_read_as_people_write_it(String text, double count) {
    assertThat(Quantity.count("--records", text)).isEqualTo(count);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "-5", "1e", "5MM", "1__0", "0x10", "NaN", "1e-3", "_1"})
  void what_is_no_count_is_refused(String text) {
    assertThatThrownBy(() -> Quantity.count("--records", text))
        .hasMessage("--records '%s' must be a number, such as 1e9, 1_000_000 or 5M", text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.5", "1e18", "1e99"})
  void a_count_has_limits(String text) {
    assertThatThrownBy(() -> Quantity.count("--universe", text))
        .hasMessage("--universe '%s' must be at least 1 and below 1e18", text);
  }

  @Test
  void a_share_may_be_a_percent() {
    assertThat(Quantity.share("--repeats", "0.6")).isEqualTo(0.6);
    assertThat(Quantity.share("--repeats", "60%")).isCloseTo(0.6, within(1e-15));
    assertThat(Quantity.share("--repeats", "1e-4")).isEqualTo(1e-4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "%", "2", "101%", "-0.1", "NaN", "few"})
  void what_is_no_share_is_refused(String text) {
    assertThatThrownBy(() -> Quantity.share("--max-fpr", text))
        .hasMessageStartingWith("--max-fpr '%s' must be a share from 0 to 1", text);
  }

  @Test
  void distinct_is_a_share_up_to_one_and_a_count_above() {
    assertThat(Quantity.distinct("--distinct", "0.6", 1000)).isEqualTo(600);
    assertThat(Quantity.distinct("--distinct", "60 %".replace(" ", ""), 1000)).isEqualTo(600);
    assertThat(Quantity.distinct("--distinct", "1", 1000)).isEqualTo(1000);
    assertThat(Quantity.distinct("--distinct", "5k", 1e6)).isEqualTo(5000);
    assertThatThrownBy(() -> Quantity.distinct("--distinct", "2000", 1000))
        .hasMessage("--distinct '2000' must be at least one key and at most the 1,000 records");
    assertThatThrownBy(() -> Quantity.distinct("--distinct", "0", 1000))
        .hasMessage("--distinct '0' must be at least one key and at most the 1,000 records");
  }
}
