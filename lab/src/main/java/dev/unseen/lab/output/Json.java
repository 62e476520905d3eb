package dev.unseen.lab.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes maps, lists, texts, numbers and booleans as JSON. */
public final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /** Returns an object of these names and values, in this order. It can be changed. */
  public static Map<String, Object> object(Object... namesAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
  }

  /** Returns the value as JSON, in one line. */
  public static String write(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(value, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter throws none
    }
    return text.toString();
  }

  public static void write(Object value, JsonGenerator json) throws IOException {
    if (value instanceof Map<?, ?> object) {
      json.writeStartObject();
      for (var field : object.entrySet()) {
        json.writeFieldName((String) field.getKey());
        write(field.getValue(), json);
      }
      json.writeEndObject();
    } else if (value instanceof Iterable<?> list) {
      json.writeStartArray();
      for (Object each : list) {
        write(each, json);
      }
      json.writeEndArray();
    } else {
      json.writeObject(value);
    }
  }
}
