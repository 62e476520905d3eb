package dev.unseen.io;

import static dev.unseen.testing.Generators.anyOf;
import static dev.unseen.testing.Generators.bytes;
import static dev.unseen.testing.Generators.indexes;
import static dev.unseen.testing.Generators.oneOf;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.unseen.io.Cutting.Piece;
import dev.unseen.testing.Choices;
import dev.unseen.testing.CpuTime;
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scanner against Jackson: what it takes, Jackson takes, with the same key. */
class JsonScannerTest {
  static final KeySpec[] KEYS = {
    KeySpec.of("id"),
    KeySpec.of("a.b"),
    KeySpec.of("id,a.0"),
    KeySpec.of("a.b,a.c,é"),
    KeySpec.of("a[-1],a[-2].b,a,.id"),
    KeySpec.of(".[0],c[-1][0]")
  };

  @Property(tries = 20_000)
  void agrees_with_jackson_on_json_and_on_json_with_an_error(Choices choices) {
    String text = choices.draw("text", json());
    KeySpec key = choices.draw("key", oneOf(KEYS));
    agrees(text.getBytes(ISO_8859_1), key);
  }

  /** JSON in UTF-8, with up to two bytes that are wrong, as a text with a char for each byte. */
  private static Generator<String> json() {
    Generator<Byte> telling =
        choices -> (byte) "\"\\{}[],:0-.eu \tn\u007f".charAt(choices.draw(indexes(17)));
    return choices -> {
      StringBuilder text = new StringBuilder();
      value(choices, 0, text);
      byte[] bytes = text.toString().getBytes(UTF_8);
      for (int errors = choices.draw(indexes(3)); errors > 0; errors--) {
        bytes[choices.draw(indexes(bytes.length))] = choices.draw(anyOf(telling, bytes()));
      }
      return new String(bytes, ISO_8859_1);
    };
  }

  /** What we take, Jackson takes, with the same key; what Jackson takes, we take if it is UTF-8. */
  static void agrees(byte[] bytes, KeySpec key) {
    JsonPaths paths = new JsonPaths(key, null);
    JsonScanner scanner = new JsonScanner(paths);
    boolean taken = scanner.scan(bytes, 0, bytes.length);
    List<String> expected =
        Jackson.valuesAt(bytes, key.fields().stream().map(JsonScannerTest::steps).toList());
    if (!taken) {
      assertThat(expected == null || !isUtf8(bytes))
          .as("%s: %s", new String(bytes, UTF_8), scanner.trouble())
          .isTrue();
      assertThat(scanner.troubleAt()).isBetween(0, bytes.length);
      return;
    }
    assertThat(expected).as(new String(bytes, UTF_8)).isNotNull();
    for (int part = 0; part < paths.count(); part++) {
      String text = Jackson.MISSING;
      if (scanner.isFound(part)) {
        KeyParts parts = new KeyParts(1, KeyNormalization.NOTHING);
        parts.clear();
        scanner.take(part, 0, parts);
        parts.finish(1);
        text = new String(parts.buffer(), parts.offset(), parts.length(), UTF_8);
      }
      assertThat(text).isEqualTo(inUtf8(expected.get(part)));
    }
  }

  /** Halves of pairs cannot be in UTF-8, and look the same to both. */
  private static String inUtf8(String text) {
    KeyParts parts = new KeyParts(1, KeyNormalization.NOTHING);
    parts.clear();
    byte[] bytes = new byte[3 * text.length() + 3];
    int used = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      used = StrictUtf8.put(text.codePointAt(i), bytes, used);
    }
    return new String(bytes, 0, used, UTF_8);
  }

  private static List<Object> steps(String path) {
    List<Object> steps = new ArrayList<>();
    Matcher step = Pattern.compile("\\[(-?\\d+)\\]|[^.\\[]+").matcher(path);
    while (step.find()) {
      steps.add(step.group(1) == null ? step.group() : Integer.valueOf(step.group(1)));
    }
    return steps;
  }

  private static boolean isUtf8(byte[] bytes) {
    for (int at = 0; at < bytes.length; ) {
      int size = StrictUtf8.sizeAt(bytes, at, bytes.length);
      if (size == 0) {
        return false;
      }
      at += size;
    }
    return true;
  }

  /** Mostly objects with the names that the keys want, and all that JSON has. */
  private static void value(Choices choices, int depth, StringBuilder out) {
    String[] scalars = {
      "1",
      "-0",
      "0.5",
      "12e3",
      "1E-7",
      "-1.50e+2",
      "true",
      "false",
      "null",
      "\"\"",
      "\"x\"",
      "\"é€😀\"",
      "\"a\\nb\"",
      "\"\\u00e9\\\"\"",
      "\"/\\/\"",
      "99999999999999999999"
    };
    int what = choices.draw(indexes(depth == 0 ? 12 : depth > 3 ? 4 : 8));
    if ((what < 4 && depth > 0) || what == 0) {
      out.append(scalars[choices.draw(indexes(scalars.length))]);
    } else if (what == 4) {
      out.append('[');
      for (int i = choices.draw(indexes(4)); i > 0; i--) {
        value(choices, depth + 1, out);
        out.append(i > 1 ? "," : "").append(blank(choices));
      }
      out.append(']');
    } else {
      String[] names = {"id", "a", "b", "c", "é", "i", "idx", "", "\\u0069d", "0"};
      out.append('{').append(blank(choices));
      for (int i = choices.draw(indexes(5)); i > 0; i--) {
        out.append('"').append(names[choices.draw(indexes(names.length))]).append('"');
        out.append(blank(choices)).append(':').append(blank(choices));
        value(choices, depth + 1, out);
        out.append(blank(choices)).append(i > 1 ? "," : "").append(blank(choices));
      }
      out.append('}').append(blank(choices));
    }
  }

  private static String blank(Choices choices) {
    return choices.draw(indexes(3)) < 2
        ? ""
        : List.of(" ", "\t", "\r", "\n", "  ").get(choices.draw(indexes(5)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'id':{'b':1,'a':[1, 2 ,{'y':'\\u0041\\n','x':null}]}} | {'a':[1,2,{'x':null,'y':'A\\u000a'}],'b':1}",
        "{'id':[ ]} | []",
        "{'id':{ }} | {}",
        "{'id':{'a':1,'a':2}} | {'a':2}",
        "{'id':1,'id':{'x':[]}} | {'x':[]}",
        "{'id':{'é':'\\u00e9','z':1.0}} | {'z':1.0,'é':'é'}",
      })
  void objects_and_arrays_are_keys_in_one_form(String json, String expected) {
    byte[] bytes = json.replace('\'', '"').getBytes(UTF_8);
    JsonScanner scanner = new JsonScanner(new JsonPaths(KeySpec.of("id"), null));
    assertThat(scanner.scan(bytes, 0, bytes.length)).isTrue();
    KeyParts parts = new KeyParts(1, KeyNormalization.NOTHING);
    parts.clear();
    scanner.take(0, 0, parts);
    parts.finish(1);
    assertThat(new String(parts.buffer(), parts.offset(), parts.length(), UTF_8))
        .isEqualTo(expected.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.b | {'a':{'b':1},'a':{'c':2}} | -",
        "a.b | {'a':{'b':1},'a':5} | -",
        "a.b | {'a':{'b':1},'a':{'b':2}} | 2",
        "a.b | {'a':{'b':1,'b':{'x':1},'b':3}} | 3",
        ".a.b | {'a':{'b':1}} | 1",
        "a[0] | {'a':[7,8]} | 7",
        "a[-1] | {'a':[7,8]} | 8",
        "a[-3] | {'a':[7,8]} | -",
        "a[-1].b[-2] | {'a':[0,{'b':[1,2,3]}]} | 2",
        ".[1] | [1,2] | 2",
        "[-1] | [1,2] | 2",
        "a.0 | {'a':{'0':'name'}} | name",
        "a[0] | {'a':{'0':'name'}} | name",
        "a\\[0\\] | {'a[0]':'odd'} | odd",
      })
  void paths_lead_to_the_last_of_repeated_fields_and_into_arrays_from_both_ends(
      String path, String json, String expected) {
    byte[] bytes = json.replace('\'', '"').getBytes(UTF_8);
    JsonScanner scanner = new JsonScanner(new JsonPaths(KeySpec.of(path), null));
    assertThat(scanner.scan(bytes, 0, bytes.length)).isTrue();
    assertThat(scanner.isFound(0)).isEqualTo(!expected.equals("-"));
    if (scanner.isFound(0)) {
      KeyParts parts = new KeyParts(1, KeyNormalization.NOTHING);
      parts.clear();
      scanner.take(0, 0, parts);
      parts.finish(1);
      assertThat(new String(parts.buffer(), parts.offset(), parts.length(), UTF_8))
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a[x]", "a[0", "a]0[", "a[]", "a[100000]", "a[01]"})
  void what_is_no_place_in_an_array_is_rejected(String path) {
    if (path.equals("a]0[")) {
      assertThatIllegalArgumentException().isThrownBy(() -> new JsonPaths(KeySpec.of(path), null));
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new JsonPaths(KeySpec.of(path), null))
          .withMessageContaining("must have a number in brackets");
    }
  }

  @Test
  void names_with_escapes_cost_no_more_than_others_and_nesting_is_linear() throws Exception {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < 500_000; i++) {
      text.append("\"\\u0061").append(i).append("\":0,");
    }
    byte[] names = text.append("\"id\":1}").toString().getBytes(UTF_8);
    JsonScanner scanner = new JsonScanner(new JsonPaths(KeySpec.of("id"), null));
    assertThat(CpuTime.of(() -> assertThat(scanner.scan(names, 0, names.length)).isTrue()))
        .isLessThan(Duration.ofSeconds(10));
    String open = "{\"b\":0,\"a\":";
    String value = open.repeat(900) + '"' + "x".repeat(20_000_000) + '"' + "}".repeat(900);
    byte[] nested = ("{\"id\":" + value + "}").getBytes(UTF_8);
    assertThat(CpuTime.of(() -> assertThat(scanner.scan(nested, 0, nested.length)).isTrue()))
        .isLessThan(Duration.ofSeconds(10));
    KeyParts parts = new KeyParts(1, KeyNormalization.NOTHING);
    parts.clear();
    scanner.take(0, 0, parts);
    parts.finish(1);
    assertThat(parts.length()).isEqualTo(value.length());
  }

  @Test
  void lines_are_reported_with_their_keys_and_troubles() {
    byte[] input =
        "\uFEFF{\"id\":1}\n\n \r\n{\"id\":\"1\"}\r\n{\"x\":2}\n{\"id\":\n{\"\\u0069d\":\"\\u0031\"}"
            .getBytes(UTF_8);
    RecordSpec spec = RecordSpec.of(KeySpec.of("id"));
    List<Piece> pieces = Cutting.pieces(RecordFormat.JSONL.cutter(spec, "in"), input, 4);
    assertThat(pieces)
        .extracting(piece -> piece.what() + " " + piece.said())
        .containsExactly(
            "mark ",
            "record 1",
            "blank ",
            "blank ",
            "record 1",
            "bad 5:1 the record has no field 'id', which is the key; add it or leave the record out",
            "bad 6:7 the JSON does not parse: it ends too early; correct the line or leave it out",
            "record 1");
  }
}
