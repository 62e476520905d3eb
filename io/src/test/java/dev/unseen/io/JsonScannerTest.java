package dev.unseen.io;

import static dev.unseen.testing.Generators.anyOf;
import static dev.unseen.testing.Generators.bytes;
import static dev.unseen.testing.Generators.indexes;
import static dev.unseen.testing.Generators.oneOf;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.io.Cutting.Piece;
import dev.unseen.io.JsonKeys.NoKeyException;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scanner against Jackson: what it takes, Jackson takes, with the same key. */
class JsonScannerTest {
  static final KeySpec[] KEYS = {
    KeySpec.of("id"), KeySpec.of("a.b"), KeySpec.of("id,a.0"), KeySpec.of("a.b,a.c,é")
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

  static void agrees(byte[] bytes, KeySpec key) {
    JsonPaths paths = new JsonPaths(key);
    KeyParts parts = new KeyParts(paths.count());
    parts.clear();
    if (new JsonScanner(paths).scan(bytes, 0, bytes.length, parts)) {
      parts.finish(paths.count());
      assertThat(keyOf(parts)).isEqualTo(jackson(bytes, key));
    }
  }

  private static String keyOf(KeyParts parts) {
    return new String(parts.buffer(), parts.offset(), parts.length(), ISO_8859_1);
  }

  /** The key by Jackson alone, or what it says against it. */
  private static String jackson(byte[] bytes, KeySpec key) {
    JsonKeys keys = new JsonKeys(key, 1 << 20);
    KeyParts parts = new KeyParts(keys.count());
    parts.clear();
    try {
      keys.parse(bytes, 0, bytes.length, parts);
    } catch (NoKeyException e) {
      return "refused by Jackson: " + e.getMessage();
    }
    parts.finish(keys.count());
    return keyOf(parts);
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
  @ValueSource(
      strings = {
        "{\"id\":1}",
        " { \"x\" : [ 1 , {\"id\":2} ] , \"id\" : \"é€😀\" } \r",
        "{\"text\":\"a\\\"b\\u00e9\",\"deep\":[[[[]]],{}],\"n\":-1.5e+3,\"id\":null}",
        "{\"id\":1,\"id\":2}",
      })
  void takes_usual_texts_itself(String text) {
    JsonPaths paths = new JsonPaths(KeySpec.of("id"));
    KeyParts parts = new KeyParts(1);
    byte[] bytes = text.getBytes(UTF_8);
    parts.clear();
    assertThat(new JsonScanner(paths).scan(bytes, 0, bytes.length, parts)).isTrue();
    agrees(bytes, KeySpec.of("id"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{\"id\"",
        "{\"id\":",
        "{\"id\":1",
        "{\"id\":1,",
        "{\"id\":1,}",
        "{\"id\":01}",
        "{\"id\":1.}",
        "{\"id\":.5}",
        "{\"id\":-}",
        "{\"id\":1e}",
        "{\"id\":+1}",
        "{\"id\":tru}",
        "{\"id\":1}{",
        "{\"id\":1} 2",
        "{\"id\":\"a\tb\"}",
        "{\"id\":\"\\x\"}",
        "{\"id\":\"\\u12g4\"}",
        "{\"id\":[1]}",
        "{\"id\":{}}",
        "{\"x\":1}",
        "{id:1}",
        "{'id':1}",
        "{\"id\" 1}",
        "[1 2]",
        "{\"id\":\"\\u0031\"}",
        "{\"\\u0069d\":1}",
        "{\"id\":nan}",
        "1",
        "\"id\"",
        "{\"id\":1]",
        "{\"id\":\"abc",
        "{\"id\":\"abc\\",
        "{\"id\":\"abc\\u12",
      })
  void leaves_whatever_is_odd_to_jackson(String text) {
    JsonPaths paths = new JsonPaths(KeySpec.of("id"));
    byte[] bytes = text.getBytes(UTF_8);
    byte[] longer = (text + "\":1}").getBytes(UTF_8); // beyond its end it must not look
    assertThat(new JsonScanner(paths).scan(longer, 0, bytes.length, new KeyParts(1))).isFalse();
  }

  @Test
  void lines_are_told_with_their_keys_and_troubles() {
    byte[] input =
        "\uFEFF{\"id\":1}\n\n \r\n{\"id\":\"1\"}\r\n{\"x\":2}\n{\"id\":\n{\"\\u0069d\":\"\\u0031\"}"
            .getBytes(UTF_8);
    CutSpec spec = new CutSpec(KeySpec.of("id"), '\0', false, Normal.NOTHING);
    List<Piece> pieces = Cutting.pieces(spec.cutter(RecordFormat.JSONL, "in"), input, 4);
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
