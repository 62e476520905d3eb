package dev.unseen.io;

import static dev.unseen.testing.Generators.indexes;
import static dev.unseen.testing.Generators.strings;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EventTimeTest {
  /** The latest time that any form can express. */
  static final long LATEST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  static long millis(String text) {
    byte[] bytes = ("<" + text + ">").getBytes(UTF_8);
    return EventTime.millis(bytes, 1, bytes.length - 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0| 0",
        "1763247060| 1763247060000",
        "1763247060.25| 1763247060250",
        "1763247060250| 1763247060250",
        "1763247060250999| 1763247060250",
        "1763247060250999000| 1763247060250",
        "-5| -5000",
        "1.76324706e9| 1763247060000",
        "2025-11-15T22:51:00Z| 1763247060000",
        "2025-11-15t22:51:00z| 1763247060000",
        "2025-11-15T22:51Z| 1763247060000",
        "2025-11-15T22:51:00.250Z| 1763247060250",
        "2025-11-15T22:51:00.250999999Z| 1763247060250",
        "2025-11-15T22:51:00.2Z| 1763247060200",
        "2025-11-15T23:51:00+01:00| 1763247060000",
        "2025-11-15T23:51:00+0100| 1763247060000",
        "2025-11-15T23:51:00+01| 1763247060000",
        "2025-11-15T22:51:00+0000| 1763247060000",
        "2025-11-15T17:51:00-0500| 1763247060000",
        "2025-11-15 22:51:00| 1763247060000",
        "2025-11-15 22:51:00,123| 1763247060123",
        "2025-11-15 22:51:00 +0000| 1763247060000",
        "2025-11-15 22:51:00 UTC| 1763247060000",
        "2025-11-15| 1763164800000",
        "2016-12-31T23:59:60Z| 1483228800000",
        "Sat, 15 Nov 2025 22:51:00 +0000| 1763247060000",
        "Sat, 15 Nov 2025 22:51:00 GMT| 1763247060000",
        "15 Nov 2025 22:51:00 -0000| 1763247060000",
        "15 Nov 2025 22:51 +0000| 1763247060000",
        "Sat, 15 nov 2025 17:51:00 EST| 1763247060000",
        "Sat, 15 Nov 2025 15:51:00 PDT| 1763247060000",
        "Sat, 15 Nov 2025 23:51:00 +0100 (CET)| 1763247060000",
        "5 Nov 2025 22:51:00 Z| 1762383060000",
        "15/Nov/2025:22:51:00 +0000| 1763247060000",
      })
  void reads_numbers_and_dates(String text, long expected) {
    assertThat(millis(text)).isEqualTo(expected);
    assertThat(millis(" " + text + "\r")).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2025-13-01",
        "2025-02-30",
        "2025-11-15T24:00:00Z",
        "2025-11-15T22:60:00Z",
        "2025-11-15T22:51:61Z",
        "2025-11-15T22:51:00+99:00",
        "2025-11-15T22:51:00Zulu",
        "2025-11-15T22:51:00Z!",
        "12:30",
        "1e400",
        "-1e400",
        "1e20",
        "99999999999999999999999",
        "NaN",
        "Infinity",
        "-Infinity",
        "0x1p3",
        "1f",
        "+999999999-12-31",
        "+999999999-12-31T00:00:00Z",
        "-999999999-01-01",
        "10000-01-01",
        "Sat, 15 Nov 25 22:51:00 +0000",
        "32 Nov 2025 22:51:00 +0000",
        "null",
        "-",
        ".",
        "e5",
      })
  @Timeout(300)
  void rejects_what_is_no_time_with_the_text_as_it_was(String text) {
    assertThatThrownBy(() -> millis(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "time '"
                + text
                + "' is neither a number of seconds or milliseconds since 1970 nor a date such as"
                + " 2026-11-15T22:51:00Z; correct it or leave the record out");
  }

  /** Split at blanks, the time of a web server is two columns, with a bracket at each end. */
  @Test
  void takes_the_brackets_of_web_servers() {
    long noon = Instant.parse("2026-11-15T12:00:00Z").toEpochMilli();
    assertThat(millis("[15/Nov/2026:12:00:00")).isEqualTo(noon);
    assertThat(millis("[15/Nov/2026:13:00:00 +0100]")).isEqualTo(noon);
    for (String text : List.of("[", "[]", "]", "15/Nov/2026:12:00:00]", "[[15/Nov/2026:12:00:00")) {
      assertThatThrownBy(() -> millis(text)).hasMessageStartingWith("time '" + text + "' is");
    }
  }

  @Test
  @Timeout(300)
  void a_text_of_any_length_is_rejected_at_once_and_quoted_in_part() {
    assertThatThrownBy(() -> millis("9".repeat(50_000_000)))
        .hasMessageStartingWith("time '" + "9".repeat(60) + "...' is neither");
    assertThatThrownBy(() -> millis("a\u001b[31mb")).hasMessageStartingWith("time 'a?[31mb' is");
  }

  @Property(tries = 2000)
  void reads_back_what_java_writes(Choices choices) {
    long seconds = 253_402_300L * choices.draw(indexes(1000)) + choices.draw(indexes(86_400));
    Instant instant = Instant.ofEpochSecond(seconds, choices.draw(indexes(1000)) * 1_000_000L);
    ZoneOffset zone = ZoneOffset.ofTotalSeconds(900 * (choices.draw(indexes(96)) - 48));
    OffsetDateTime time = instant.atOffset(zone);
    if (time.getYear() <= 9999) {
      assertThat(millis(time.toString())).isEqualTo(instant.toEpochMilli());
      assertThat(millis(DateTimeFormatter.RFC_1123_DATE_TIME.format(time)))
          .isEqualTo(seconds * 1000);
      String python =
          DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSSxx", Locale.ROOT).format(time);
      assertThat(millis(python)).isEqualTo(instant.toEpochMilli());
    }
  }

  @Property(tries = 20_000)
  void answers_any_text_with_a_time_in_range_or_a_rejection(Choices choices) {
    answers(choices.draw("text", strings("0129-+:.,TZe /aNov(", 30)).getBytes(UTF_8));
  }

  static void answers(byte[] text) {
    try {
      assertThat(EventTime.millis(text, 0, text.length)).isBetween(-LATEST, LATEST + 1001);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("time '");
    }
  }
}
