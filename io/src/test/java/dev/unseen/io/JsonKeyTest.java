package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonKeyTest {
  private static final RecordSpec ID = RecordSpec.of(KeySpec.of("order.id"));

  @Test
  void finds_the_key_and_the_time_of_a_value() {
    JsonKey key = new JsonKey(ID.withTime("at"));

    assertThat(key.find(bytes("{\"order\":{\"id\":\"a\\u0062\"},\"at\":1700000000000}"))).isTrue();

    assertThat(text(key)).isEqualTo("ab");
    assertThat(key.time()).isEqualTo(1_700_000_000_000L);
    assertThat(key.trouble()).isNull();
  }

  @Test
  void a_value_may_span_lines_and_have_blanks_around_it() {
    JsonKey key = new JsonKey(ID);

    assertThat(key.find(bytes(" {\n \"order\" : {\"id\": 7}\n}\n "))).isTrue();

    assertThat(text(key)).isEqualTo("7");
  }

  @Test
  void reports_why_there_is_no_key_and_continues() {
    JsonKey key = new JsonKey(ID.withTime("at"));

    for (String bad : List.of("", "  ", "{", "not json", "{\"order\":1}", "{} {}")) {
      assertThat(key.find(bytes(bad))).as(bad).isFalse();
      assertThat(key.trouble()).as(bad).startsWith("line 1, column ");
    }
    assertThat(key.find(bytes("{\"at\":1}"))).isFalse();
    assertThat(key.trouble()).contains("has no field 'order.id', which is the key");
    assertThat(key.find(bytes("{\"order\":{\"id\":1}}"))).isFalse();
    assertThat(key.trouble()).contains("has no field 'at', which is the time");
    assertThat(key.find(bytes("{\"order\":{\"id\":1},\n\"at\":\"noon\"}"))).isFalse();
    assertThat(key.trouble()).startsWith("line 2, column 6: ");
    assertThat(key.find(bytes("{\"order\":{\"id\":1},\"at\":1700000000000}"))).isTrue();
    assertThat(key.trouble()).isNull();
  }

  /** So that a state of the shell fits a topic. */
  @Test
  void the_key_of_a_value_is_that_of_the_same_line() throws Exception {
    RecordSpec spec =
        RecordSpec.of(KeySpec.of("a,b[-1]"))
            .withMissingAsNull(true)
            .withNormal(KeyNormalization.NOTHING);
    List<String> values =
        List.of(
            "{\"a\":1,\"b\":[1,{\"y\":2, \"x\":1}]}", "{\"b\":[\"\"]}", "{\"a\":\"1\",\"b\":null}");
    KeyReader lines =
        KeyReader.of(
            new ByteArrayInputStream(bytes(String.join("\n", values))),
            "values",
            RecordFormat.JSONL,
            spec);
    JsonKey key = new JsonKey(spec);
    for (String value : values) {
      assertThat(lines.next()).isTrue();
      assertThat(key.find(bytes(value))).isTrue();
      assertThat(Arrays.copyOfRange(key.buffer(), key.offset(), key.offset() + key.length()))
          .as(value)
          .isEqualTo(
              Arrays.copyOfRange(lines.buffer(), lines.offset(), lines.offset() + lines.length()));
    }
    lines.close();
  }

  @Test
  void rejects_what_is_no_path() {
    assertThatThrownBy(() -> new JsonKey(RecordSpec.of(KeySpec.of("a[x]"))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(JsonKey key) {
    return new String(key.buffer(), key.offset(), key.length(), UTF_8);
  }
}
