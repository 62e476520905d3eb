package dev.unseen.testing;

import static dev.unseen.testing.Generators.byteArrays;
import static dev.unseen.testing.Generators.doubles;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.lists;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static dev.unseen.testing.Generators.strings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Failures that are made on purpose: they are found, and made as simple as can be. */
final class PropertyCheckTest {
  private static Throwable failure(PropertyCheck.Body body) {
    return catchThrowable(() -> new PropertyCheck(body).run(LongStream.range(0, 1000)));
  }

  /** The values of the report that were shrunk, a line each. */
  private static List<String> simplest(PropertyCheck.Body body) {
    Throwable failure = failure(body);
    assertThat(failure).isInstanceOf(AssertionError.class);
    return failure
        .getMessage()
        .lines()
        .dropWhile(line -> !line.startsWith("The simplest values"))
        .skip(1)
        .takeWhile(line -> line.startsWith("  "))
        .map(String::trim)
        .toList();
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new AssertionError("does not hold");
    }
  }

  @Test
  void a_property_that_holds_says_nothing() {
    assertThatCode(
            () ->
                new PropertyCheck(choices -> require(choices.draw("n", ints(1, 9)) > 0))
                    .run(LongStream.range(0, 1000)))
        .doesNotThrowAnyException();
  }

  @Test
  void a_number_is_shrunk_to_the_bound_where_it_begins_to_fail() {
    assertThat(simplest(choices -> require(choices.draw("n", ints()) < 12_345)))
        .containsExactly("n = 12345");
    assertThat(simplest(choices -> require(choices.draw("n", longs()) > -77)))
        .containsExactly("n = -77");
    assertThat(simplest(choices -> require(choices.draw("n", longs(-900, -5)) > -8)))
        .containsExactly("n = -8");
    assertThat(simplest(choices -> require(choices.draw("n", longs()) > Long.MIN_VALUE)))
        .containsExactly("n = -9223372036854775808");
    assertThat(simplest(choices -> require(choices.draw("x", doubles(0, 8)) < 2)))
        .containsExactly("x = 2.0");
  }

  @Test
  void what_does_not_matter_is_the_simplest() {
    assertThat(
            simplest(
                choices -> {
                  choices.draw("n", ints(3, 90));
                  choices.draw("kind", oneOf("first", "second"));
                  choices.draw("text", strings());
                  choices.draw("bytes", byteArrays());
                  require(false);
                }))
        .containsExactly("n = 3", "kind = \"first\"", "text = \"\"", "bytes = []");
  }

  @Test
  void a_list_is_shrunk_to_the_elements_that_matter() {
    assertThat(
            simplest(
                choices -> {
                  List<String> texts = choices.draw("texts", lists(strings("xyz", 9), 0, 30));
                  require(!texts.contains("zz") || texts.size() < 2);
                }))
        .containsAnyOf("texts = [zz, ]", "texts = [, zz]");
  }

  /** Two sizes that depend on each other, and a failure that is no assertion's. */
  @Test
  void an_error_of_the_code_is_found_too() {
    PropertyCheck.Body body =
        choices -> {
          byte[] bytes = choices.draw("bytes", byteArrays());
          bytes[choices.draw("at", ints(0, 300))] = 1;
        };
    assertThat(simplest(body)).containsExactly("bytes = []", "at = 0");
    assertThat(failure(body)).hasRootCauseInstanceOf(ArrayIndexOutOfBoundsException.class);
  }

  /** Small numbers have a bug of their own, to which the one of large numbers must not turn. */
  @Test
  void shrinking_stays_with_the_kind_of_failure() {
    PropertyCheck.Body body =
        choices -> {
          int number = choices.draw("n", ints(0, 1_000_000));
          if (number >= 1000) {
            throw new IllegalStateException();
          }
          if (number == 3) {
            throw new IllegalArgumentException();
          }
        };
    assertThat(failure(body)).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(simplest(body)).containsExactly("n = 1000");
  }

  @Test
  void a_failure_that_does_not_come_again_is_told() {
    AtomicInteger runs = new AtomicInteger();
    assertThat(
            failure(
                choices -> require(choices.draw("n", ints()) != 5 && runs.incrementAndGet() != 7)))
        .hasMessageContaining("It did not fail again on these values");
  }

  /** Each run takes 20 ms, and thousands would be needed. */
  @Test
  void shrinking_ends_when_its_time_is_up() {
    PropertyCheck check =
        new PropertyCheck(
            choices -> {
              choices.draw("many", lists(byteArrays(), 100, 100));
              Thread.sleep(20);
              require(false);
            },
            Duration.ofMillis(200));
    assertThat(catchThrowable(() -> check.run(LongStream.of(3))))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("(?s).*found in \\d\\d? runs.*");
  }

  @Test
  void texts_are_shown_as_in_a_program_and_long_ones_are_cut() {
    assertThat(Texts.of("a\"\\\n\r\t\0\u00e9")).isEqualTo("\"a\\\"\\\\\\n\\r\\t\\u0000\\u00e9\"");
    assertThat(Texts.of(new byte[] {1, -1})).isEqualTo("[1, -1]");
    assertThat(Texts.of(null)).isEqualTo("null");
    assertThat(Texts.of("x".repeat(5000)))
        .hasSizeLessThan(600)
        .endsWith("... (5002 characters in all)");
  }
}
