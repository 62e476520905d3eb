package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What RFC 8259 says is JSON is taken, what it says is none is rejected, and where it leaves the
 * choice we do what Jackson does, but for bytes that are not UTF-8. Cases that every parser is
 * tried with: each is put alone, in an array, and as the value of a field.
 */
class JsonConformanceTest {
  /** Values, with a char for each byte beyond ASCII. */
  static Stream<String> values() {
    List<String> values = new ArrayList<>();
    // Numbers: every part alone and with every other.
    for (String sign : List.of("", "-")) {
      for (String whole : List.of("0", "1", "10", "123456789012345678901234567890")) {
        for (String fraction : List.of("", ".0", ".5", ".000000000000000000001")) {
          for (String exponent : List.of("", "e1", "E1", "e+2", "E-2", "e00", "e999")) {
            values.add(sign + whole + fraction + exponent);
          }
        }
      }
    }
    values.addAll(List.of("true", "false", "null", "\"\"", "[]", "{}", "[[]]", "[{}]", "{\"\":0}"));
    // Strings: all escapes, all bytes that need none, the ends of each length of UTF-8.
    for (char escape : "\"\\/bfnrt".toCharArray()) {
      values.add("\"\\" + escape + "\"");
    }
    values.addAll(
        List.of(
            "\"\\u0000\"",
            "\"\\u001F\"",
            "\"\\uABCD\"",
            "\"\\uabcd\"",
            "\"\\uD834\\uDD1E\"",
            "\"\\ud800\"", // half a pair: a choice
            "\"\\udc00\\ud800\"",
            "\"\\ud800x\"",
            "\"\\ud800\\n\"",
            "\"\u007f\"",
            "\"'\"",
            "\"//\"",
            "\"/* no comment */\"",
            "\"[{,:}]\"",
            "\" \""));
    for (int point :
        new int[] {0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF, 0x2028}) {
      values.add('"' + latin(Character.toString(point)) + '"');
    }
    // Objects and arrays, with blanks wherever they may be.
    for (String blank : List.of("", " ", "\t", "\r", " \t \r ")) {
      values.add("[" + blank + "1" + blank + "," + blank + "\"a\"" + blank + "]");
      values.add("{" + blank + "\"a\"" + blank + ":" + blank + "[]" + blank + "}");
      values.add("{\"a\":1" + blank + "," + blank + "\"a\":2}");
      values.add("[" + blank + "]");
      values.add("{" + blank + "}");
    }
    values.add("{\"a\\u0000b\":1,\"\\\"\":2}");
    values.add("[".repeat(300) + "]".repeat(300));
    values.add("[1,[2,[3,{\"a\":[{}]}]],null]");
    return values.stream();
  }

  @ParameterizedTest
  @MethodSource("values")
  void takes_what_is_json(String value) {
    for (String text :
        List.of(value, " " + value + "\r", "[" + value + "]", "{\"id\":" + value + "}")) {
      assertThat(trouble(text)).as(text).isNull();
      JsonScannerTest.agrees(text.getBytes(ISO_8859_1), KeySpec.of("id"));
    }
  }

  /** Texts that are no JSON. */
  static Stream<String> rejected() {
    List<String> texts = new ArrayList<>();
    // Numbers that other languages know.
    texts.addAll(
        List.of(
            "+1",
            "-",
            "--1",
            "01",
            "-01",
            "00",
            "1.",
            ".5",
            "-.5",
            "1.e1",
            "1e",
            "1e+",
            "1E-",
            "1ee2",
            "1e1.5",
            "0x1",
            "0xFF",
            "1_000",
            "1,000",
            "NaN",
            "-NaN",
            "Infinity",
            "-Infinity",
            "inf",
            "1 000",
            "1a",
            "1.5.2",
            "0e",
            "-e1",
            "1.2a-3",
            "\u0661",
            "0b1",
            "1d",
            "++1"));
    texts.addAll(
        List.of(
            "tru",
            "True",
            "TRUE",
            "nul",
            "Null",
            "fals",
            "truee",
            "nulll",
            "undefined",
            "None",
            "yes"));
    // Strings that do not end, or hold what must be escaped.
    texts.addAll(
        List.of(
            "\"",
            "\"a",
            "'a'",
            "\"\\",
            "\"\\\"",
            "\"\\x41\"",
            "\"\\a\"",
            "\"\\0\"",
            "\"\\u\"",
            "\"\\u1\"",
            "\"\\u12\"",
            "\"\\u123\"",
            "\"\\u123g\"",
            "\"\\U0041\"",
            "\"\\u{41}\"",
            "\"\\ \"",
            "\"\\\n\"",
            "\"a\nb\"",
            "\"a\tb\"",
            "\"\u0000\"",
            "\"\u001f\"",
            "a",
            "`a`"));
    // Arrays and objects.
    texts.addAll(
        List.of(
            "[",
            "]",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "[,]",
            "[1,,2]",
            "[1 2]",
            "[1;2]",
            "[1:2]",
            "[}",
            "[1}",
            "[[]",
            "[]]",
            "[1]]",
            "(1)",
            "<1>",
            "[\"a\"",
            "[\"a\",\n4\n,1,",
            "[*]",
            "[#]"));
    texts.addAll(
        List.of(
            "{",
            "}",
            "{]",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":1,}",
            "{,\"a\":1}",
            "{\"a\" 1}",
            "{\"a\"=1}",
            "{\"a\"::1}",
            "{\"a\",1}",
            "{a:1}",
            "{'a':1}",
            "{1:1}",
            "{null:1}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":1,,\"b\":2}",
            "{\"a\":1;\"b\":2}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1}}",
            "{{}}",
            "{[]:1}",
            "{\"a\":1}#",
            "{\"a\":\"b\"}/**/",
            "{\"a\":/*c*/1}",
            "//c\n{}",
            "{\"a\":1}//",
            "{\"a\":True}"));
    // More than one value, none, and blanks that are none here.
    texts.addAll(
        List.of(
            "",
            " ",
            "1 2",
            "{}{}",
            "[][]",
            "{} []",
            "1,2",
            "\f1",
            "1\f",
            "\u000b[]",
            "[\u00a01]",
            "[1]\u0000",
            "\u0000",
            "\u001a{}",
            "\u2060[]"));
    texts.add("[".repeat(100_000));
    texts.add("[{\"\":".repeat(50_000));
    return texts.stream().map(text -> latin(text));
  }

  @ParameterizedTest
  @MethodSource("rejected")
  void rejects_what_is_none(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    assertThat(trouble(text)).as(text).isNotNull();
    if (bytes.length < 1000) {
      JsonScannerTest.agrees(bytes, KeySpec.of("id"));
    }
  }

  /** Each byte that cannot begin a character, and each beginning that does not go on. */
  @Test
  void rejects_bytes_that_are_not_utf8_wherever_they_are() {
    List<String> bad = new ArrayList<>();
    for (int b = 0x80; b < 0x100; b++) {
      bad.add(Character.toString(b));
    }
    bad.addAll(
        List.of(
            "\u00c0\u00af",
            "\u00c1\u00bf",
            "\u00e0\u0080\u0080",
            "\u00e0\u009f\u00bf",
            "\u00ed\u00a0\u0080",
            "\u00ed\u00bf\u00bf",
            "\u00f0\u0080\u0080\u0080",
            "\u00f0\u008f\u00bf\u00bf",
            "\u00f4\u0090\u0080\u0080",
            "\u00f5\u0080\u0080\u0080",
            "\u00f8\u0088\u0080\u0080\u0080",
            "\u00e2\u0082",
            "\u00f0\u009f\u0098",
            "\u00c3("));
    for (String bytes : bad) {
      for (String text :
          List.of(
              '"' + bytes + '"',
              "{\"" + bytes + "\":1}",
              "[\"a" + bytes + "b\"]",
              "[" + bytes + "]")) {
        assertThat(trouble(text)).as(text).isNotNull();
      }
    }
  }

  private static String trouble(String text) {
    JsonScanner scanner = new JsonScanner(new JsonPaths(KeySpec.of("id"), null));
    byte[] bytes = (text + "\"}]1").getBytes(ISO_8859_1); // beyond its end it must not look
    return scanner.scan(bytes, 0, bytes.length - 4) ? null : scanner.trouble();
  }

  private static String latin(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }
}
