package dev.unseen.io;

import static dev.unseen.testing.Generators.indexes;
import static dev.unseen.testing.Generators.oneOf;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A text of a known shape is what the parser would take, with the values at the same places. */
class JsonShapeTest {
  private static final String LEARNED = "{\"id\":\"7f3a\",\"n\":12,\"ok\":true}";
  private static final int[] ID = {7};

  private static JsonShape shape(String text, int... partStarts) {
    byte[] bytes = text.getBytes(UTF_8);
    return JsonShape.of(bytes, 0, bytes.length, partStarts);
  }

  private static boolean matches(JsonShape shape, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return shape.matches(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        LEARNED,
        "{\"id\":\"\",\"n\":0,\"ok\":null}",
        "{\"id\":\"a string of more than eight bytes\",\"n\":-12345678901234567890,\"ok\":false}",
        "{\"id\":\"}{][,:\",\"n\":0.25,\"ok\":false}"
      })
  void takes_other_values_in_the_slots(String text) {
    JsonShape shape = shape(LEARNED, ID);

    assertThat(matches(shape, text)).isTrue();
    assertThat(text.substring(shape.startOf(0), shape.endOf(0)))
        .isEqualTo(text.substring(7, text.indexOf('"', 7)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"ie\":\"7f3a\",\"n\":12,\"ok\":true}", // another name
        "{\"id\":\"7f3a\",\"n\":12,\"ok\":true} ", // more
        "{\"id\":\"7f3a\",\"n\":12,\"ok\":true", // less
        "{\"id\":\"7f3a\",\"n\":12,\"ok\":tru}",
        "{\"id\":\"7f3a\",\"n\":12,\"ok\":falsf}",
        "{\"id\":\"7f3a\",\"n\":12,\"ok\":1}", // another kind of value
        "{\"id\":\"7f3a\",\"n\":012,\"ok\":true}", // no number
        "{\"id\":\"7f3a\",\"n\":-,\"ok\":true}",
        "{\"id\":\"7f3a\",\"n\":1.,\"ok\":true}",
        "{\"id\":\"7f3a\",\"n\":.5,\"ok\":true}",
        "{\"id\":\"7f3a\",\"n\":1e5,\"ok\":true}", // a number that is not plain
        "{\"id\":\"7f\\u0033a\",\"n\":12,\"ok\":true}", // an escape
        "{\"id\":\"7fé\",\"n\":12,\"ok\":true}", // not ASCII
        "{\"id\":\"7f\ta\",\"n\":12,\"ok\":true}", // no JSON
        "",
        "{"
      })
  void takes_nothing_else(String text) {
    assertThat(matches(shape(LEARNED, ID), text)).isFalse();
  }

  @Test
  void takes_no_text_that_ends_before_its_shape_does() {
    byte[] bytes = LEARNED.getBytes(UTF_8);
    JsonShape shape = shape(LEARNED, ID);

    assertThat(shape.matches(bytes, 0, bytes.length)).isTrue();
    assertThat(shape.matches(bytes, 0, bytes.length - 1)).isFalse();
    assertThat(shape.matches(bytes, 0, 3)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"12,true", "-3.25,true", "x,false", "'',false", "1e3,false", "true,false"})
  void a_text_may_be_a_slot_alone(String text, boolean taken) {
    assertThat(matches(shape("7", 0), text)).isEqualTo(taken);
  }

  @Test
  void a_value_that_is_an_object_or_array_has_no_shape() {
    assertThat(shape("{\"id\":[1]}", 6)).isNull();
    assertThat(shape("{\"id\":[1]}", 7)).isNotNull();
    assertThat(shape("{\"id\":[1]}", -1).startOf(0)).isNegative();
  }

  @Test
  void a_text_of_very_many_values_has_no_shape() {
    assertThat(shape("[" + "1,".repeat(255) + "1]")).isNotNull();
    assertThat(shape("[" + "1,".repeat(256) + "1]")).isNull();
    assertThat(shape("{\"" + "n".repeat(5000) + "\":1}")).isNull();
  }

  /**
   * One scanner, which learns, over texts of a few shapes with up to two bytes that are wrong, and
   * a new scanner, which knows none, for each of them.
   */
  @Property(tries = 3000)
  void a_scanner_that_has_learned_finds_what_a_new_one_finds(Choices choices) {
    JsonPaths paths =
        new JsonPaths(KeySpec.of(choices.draw("key", oneOf("id", "a.b", "a[1],id"))), null);
    JsonScanner learned = new JsonScanner(paths);
    for (int i = choices.draw("texts", indexes(40)); i >= 0; i--) {
      byte[] text = choices.draw("text", JsonShapeTest::text).getBytes(ISO_8859_1);
      int behind = choices.draw("behind", indexes(12)); // as where it lies among others
      byte[] bytes = Arrays.copyOf(text, text.length + behind);
      Arrays.fill(
          bytes, text.length, bytes.length, (byte) choices.draw(oneOf('\n', '"', '1')).charValue());

      JsonScanner fresh = new JsonScanner(paths);
      boolean taken = fresh.scan(bytes, 0, text.length);

      assertThat(learned.scan(bytes, 0, text.length)).isEqualTo(taken);
      for (int part = 0; taken && part < paths.count(); part++) {
        assertThat(learned.isFound(part)).isEqualTo(fresh.isFound(part));
        if (fresh.isFound(part)) {
          assertThat(key(learned, part)).isEqualTo(key(fresh, part));
          assertThat(learned.rawStart(part)).isEqualTo(fresh.rawStart(part));
          assertThat(learned.rawEnd(part)).isEqualTo(fresh.rawEnd(part));
        }
      }
    }
  }

  private static String key(JsonScanner scanner, int part) {
    KeyParts parts = new KeyParts(1, KeyNormalization.NOTHING);
    parts.clear();
    scanner.take(part, 0, parts);
    parts.finish(1);
    return new String(parts.buffer(), parts.offset(), parts.length(), UTF_8);
  }

  private static String text(Choices choices) {
    String form =
        choices.draw(
            oneOf(
                "{\"id\":%s,\"n\":%s}",
                "{\"id\":%s,\"id\":%s}",
                "{\"n\": %s, \"id\": %s}",
                "{\"a\":{\"b\":%s},\"id\":%s}",
                "{\"a\":[%s,%s]}",
                "[%s,%s]",
                "{\"i\\u0064\":%s,\"a\":%s}"));
    StringBuilder text = new StringBuilder(form.formatted(value(choices), value(choices)));
    for (int errors = choices.draw(indexes(6)); errors > 4; errors--) {
      text.setCharAt(
          choices.draw(indexes(text.length())),
          "\"\\{}[],:0-.eu \tn\u00e9".charAt(choices.draw(indexes(17))));
    }
    return text.toString();
  }

  private static String value(Choices choices) {
    return choices.draw(
        oneOf(
            "\"\"",
            "\"a\"",
            "\"12345678\"",
            "\"a longer string\"",
            "\"q\\\"\"",
            "\"\u00c3\u00a9\"",
            "0",
            "-1",
            "1234567890.5",
            "1e9",
            "true",
            "false",
            "null",
            "[]",
            "{\"b\":2}"));
  }
}
