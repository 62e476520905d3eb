package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** What Jackson says of a JSON text: an opinion that is not ours. */
final class Jackson {
  /** What stands for a value that is not there. */
  static final String MISSING = "(missing)";

  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

  private Jackson() {}

  /** A number, true, false or null. */
  private record Bare(String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  /** A value: text, a bare word, a list, or a map. */
  private record Value(Object content) {}

  /** The texts of the values at some paths, which are names or places; null if it is no JSON. */
  static List<String> valuesAt(byte[] json, List<List<Object>> paths) {
    Value root;
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      if (parser.currentToken() == null) {
        return null;
      }
      root = read(parser);
      if (parser.nextToken() != null) {
        return null;
      }
    } catch (IOException e) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    for (List<Object> path : paths) {
      Value value = root;
      for (Object step : path) {
        value = value == null ? null : step(value, step);
      }
      texts.add(value == null ? MISSING : text(value, false));
    }
    return texts;
  }

  private static Value step(Value value, Object step) {
    if (value.content instanceof TreeMap<?, ?> map) {
      boolean isName = step instanceof String || (int) step >= 0; // a[0] is a.0, but a[-1] no name
      return isName ? (Value) map.get(step.toString()) : null;
    }
    if (value.content instanceof List<?> list) {
      try {
        int place = Integer.parseInt(step.toString());
        int index = place < 0 ? list.size() + place : place;
        return index >= 0 && index < list.size() ? (Value) list.get(index) : null;
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return null;
  }

  private static Value read(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      TreeMap<String, Value> fields =
          new TreeMap<>(
              (a, b) -> java.util.Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)));
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        fields.put(name, read(parser));
      }
      return new Value(fields);
    }
    if (token == JsonToken.START_ARRAY) {
      List<Value> values = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        values.add(read(parser));
      }
      return new Value(values);
    }
    String text = parser.getText();
    return new Value(token == JsonToken.VALUE_STRING ? text : new Bare(text));
  }

  private static String text(Value value, boolean nested) {
    if (value.content instanceof TreeMap<?, ?> map) {
      List<String> members = new ArrayList<>();
      map.forEach(
          (name, member) ->
              members.add(quoted(name.toString()) + ":" + text((Value) member, true)));
      return "{" + String.join(",", members) + "}";
    }
    if (value.content instanceof List<?> list) {
      return "["
          + String.join(",", list.stream().map(each -> text((Value) each, true)).toList())
          + "]";
    }
    boolean isString = value.content instanceof String;
    return nested && isString ? quoted((String) value.content) : value.content.toString();
  }

  private static String quoted(String text) {
    return '"' + JsonText.escape(text) + '"';
  }
}
