package dev.unseen.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrintTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0        | 0      | 0",
        "1        | 1      | 1",
        "0.1349   | 0.135  | 0.13",
        "0.00404  | 0.00404 | 0.004",
        "0.000996 | 0.000996 | 1e-3",
        "0.01     | 0.01   | 0.01",
        "4.2e-15  | 4.2e-15 | 4e-15",
        "2e-7     | 2e-7   | 2e-7",
        "99.4     | 99.4   | 99",
        "99.6     | 99.6   | 100",
        "412.3    | 412    | 412",
        "999.6    | 1,000  | 1,000",
        "12474.2  | 12,474 | 12,474",
        "10       | 10     | 10",
        "-0.1349  | -0.135 | -0.13",
      })
  void a_number_has_the_digits_that_count(double value, String three, String two) {
    assertThat(Print.digits(value, 3)).isEqualTo(three);
    assertThat(Print.digits(value, 2)).isEqualTo(two);
  }

  @Test
  void a_percent_has_a_sign_and_three_digits_unless_told() {
    assertThat(Print.percent(0.0131)).isEqualTo("1.31 %");
    assertThat(Print.percent(0.0131, 2)).isEqualTo("1.3 %");
    assertThat(Print.percent(1)).isEqualTo("100 %");
    assertThat(Print.percent(0)).isEqualTo("0 %");
    assertThat(Print.percent(1e-4)).isEqualTo("0.01 %");
    assertThat(Print.percent(1.234e-9)).isEqualTo("1.2e-7 %");
    assertThat(Print.percent(Double.NaN)).isEqualTo("NaN %");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0        | 0 %              | no new record",
        "1        | 100 %            | 100 % of new records",
        "0.06512  | 6.51 %           | 6.5 % of new records",
        "1e-4     | 0.01 %           | 0.01 % of new records",
        "9.999e-5 | 1 in 10,000      | 1 new record in 10,000",
        "6.9e-5   | 1 in 14,500      | 1 new record in 14,000",
        "2e-9     | 1 in 500 million | 1 new record in 500 million",
        "6.1e-11  | 1 in 16.4 billion | 1 new record in 16 billion",
        "1e-12    | 1 in 1 trillion  | 1 new record in 1 trillion",
        "8.7e-224 | practically none | practically no new record",
      })
  void a_rate_of_errors_is_in_words_where_a_percentage_is_hard_to_read(
      double rate, String alone, String ofRecords) {
    assertThat(Print.rate(rate)).isEqualTo(alone);
    assertThat(Print.portion(rate, "new record")).isEqualTo(ofRecords);
  }

  @Test
  void a_load_is_a_percentage_that_people_read() {
    assertThat(Print.load(0, 2)).isEqualTo("0 %");
    assertThat(Print.load(2e-7, 2)).isEqualTo("less than 0.01 %");
    assertThat(Print.load(0.0257, 2)).isEqualTo("2.6 %");
    assertThat(Print.load(0.02573, 3)).isEqualTo("2.57 %");
  }

  @Test
  void a_count_is_in_words_from_a_million_on() {
    assertThat(Print.count(95_607)).isEqualTo("95,607");
    assertThat(Print.count(5e6)).isEqualTo("5 million");
    assertThat(Print.count(6.25e8)).isEqualTo("625 million");
    assertThat(Print.count(1.5e9)).isEqualTo("1.5 billion");
    assertThat(Print.count(2e12)).isEqualTo("2 trillion");
  }

  @Test
  void bytes_have_binary_units() {
    assertThat(Print.bytes(64)).isEqualTo("64 bytes");
    assertThat(Print.bytes(1536)).isEqualTo("1.5 KiB");
    assertThat(Print.bytes(64L << 20)).isEqualTo("64 MiB");
    assertThat(Print.bytes(1000L << 20)).isEqualTo("1,000 MiB");
    assertThat(Print.bytes(16L << 40)).isEqualTo("16 TiB");
  }

  @Test
  void a_speed_has_two_digits() {
    assertThat(Print.perSecond(12.3)).isEqualTo("12/s");
    assertThat(Print.perSecond(850_000)).isEqualTo("850 k/s");
    assertThat(Print.perSecond(999_900)).isEqualTo("1 M/s");
    assertThat(Print.perSecond(14_320_000)).isEqualTo("14 M/s");
  }

  @Test
  void an_age_is_in_its_largest_unit() {
    assertThat(Print.age(Duration.ofHours(80))).isEqualTo("3 days");
    assertThat(Print.age(Duration.ofSeconds(60))).isEqualTo("1 minute");
    assertThat(Print.age(Duration.ofSeconds(-3))).isEqualTo("0 seconds");
  }

  @Test
  void an_option_is_written_in_the_largest_exact_unit() {
    assertThat(Print.size(64L << 20)).isEqualTo("64M");
    assertThat(Print.size(1056L << 20)).isEqualTo("1056M");
    assertThat(Print.size(1000)).isEqualTo("1000");
    assertThat(Print.duration(Duration.ofHours(24))).isEqualTo("24h");
    assertThat(Print.duration(Duration.ofDays(7))).isEqualTo("7d");
    assertThat(Print.duration(Duration.ofSeconds(90))).isEqualTo("90s");
    assertThat(Print.duration(Duration.ofMillis(1500))).isEqualTo("1500ms");
    assertThat(Print.share(1e-4)).isEqualTo("1e-4");
    assertThat(Print.share(0.01)).isEqualTo("0.01");
  }

  @Test
  void what_is_written_for_an_option_is_read_back() {
    Random random = new Random(14);
    for (int i = 0; i < 10_000; i++) {
      long number = random.nextLong() >>> (1 + random.nextInt(62));
      long bytes = (number >>> 20) << random.nextInt(20);
      Duration time = Duration.ofMillis(number >>> 4);
      double share = random.nextDouble() * Math.pow(10, -random.nextInt(9));
      assertThat(Parse.size("size", Print.size(bytes))).isEqualTo(bytes);
      assertThat(Parse.duration("time", Print.duration(time))).isEqualTo(time);
      assertThat(Parse.share("share", Print.share(share))).isEqualTo(share);
    }
  }

  @Test
  void a_text_of_unknown_origin_does_nothing_to_a_terminal() {
    assertThat(Print.plain("café, 東京, a\\b")).isEqualTo("café, 東京, a\\b");
    assertThat(Print.plain("\u001b[2J\u0007\r\n\u009b\u202e\u2028\ud800x"))
        .isEqualTo("\\u001b[2J\\u0007\\u000d\\u000a\\u009b\\u202e\\u2028\\ud800x");
  }
}
