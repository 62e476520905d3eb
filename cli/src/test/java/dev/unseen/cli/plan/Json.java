package dev.unseen.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads an array of flat objects. */
final class Json {
  private Json() {}

  static List<Map<String, String>> objects(String text) {
    List<Map<String, String>> objects = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(text)) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> object = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String name = json.currentName();
          json.nextToken();
          object.put(name, json.getText());
        }
        objects.add(object);
      }
      assertThat(json.currentToken()).isEqualTo(JsonToken.END_ARRAY);
      assertThat(json.nextToken()).isNull();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return objects;
  }
}
