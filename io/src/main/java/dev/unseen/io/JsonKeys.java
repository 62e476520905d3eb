package dev.unseen.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.unseen.io.JsonPaths.Step;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Finds the key of a JSON text, which is checked to its end.
 *
 * <p>{@link JsonScanner} does it for usual texts, several times as fast; what it finds odd, be it
 * only an escape in a name, is left to Jackson, which has the last word on what is JSON.
 */
final class JsonKeys {
  /** The text is no JSON, or has no such key. */
  static final class NoKeyException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int column;

    NoKeyException(int column, String message, Throwable cause) {
      super(message, cause);
      this.column = column;
    }

    /** Where in the text, from 1. */
    int column() {
      return column;
    }
  }

  private final JsonPaths paths;
  private final JsonScanner scanner;
  private final int maxBytes;
  private JsonFactory json; // made when it is needed, which is not always

  JsonKeys(KeySpec key, int maxBytes) {
    this.paths = new JsonPaths(key);
    this.scanner = new JsonScanner(paths);
    this.maxBytes = maxBytes;
  }

  /** The parts of a key. */
  int count() {
    return paths.count();
  }

  /** Puts the key of a text together. */
  void read(byte[] bytes, int from, int to, KeyParts parts) throws NoKeyException {
    parts.clear();
    if (!scanner.scan(bytes, from, to, parts)) {
      parts.clear();
      parse(bytes, from, to, parts);
    }
    parts.finish(paths.count());
  }

  /** The same without the shortcut. */
  void parse(byte[] bytes, int from, int to, KeyParts parts) throws NoKeyException {
    try (JsonParser parser = json().createParser(bytes, from, to - from)) {
      parser.nextToken();
      take(parser, paths.root(), parts);
      if (parser.nextToken() != null) {
        throw new NoKeyException(
            column(parser), "there is more than one JSON value; a line must have one", null);
      }
    } catch (JsonProcessingException e) {
      throw new NoKeyException(
          column(e, bytes, from, to),
          "the JSON does not parse: %s; correct the line or leave it out".formatted(reason(e)),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // reading from an array, it has no other
    }
    int missing = parts.missing();
    if (missing >= 0) {
      throw new NoKeyException(
          1,
          "the record has no field '%s', which is the key; add it or leave the record out"
              .formatted(paths.path(missing)),
          null);
    }
  }

  private JsonFactory json() {
    if (json == null) {
      json =
          JsonFactory.builder()
              .disable(JsonFactory.Feature.CHARSET_DETECTION) // it is UTF-8
              .streamReadConstraints(
                  StreamReadConstraints.builder() // the length of a line is limit enough
                      .maxStringLength(maxBytes)
                      .maxNumberLength(maxBytes)
                      .maxNameLength(maxBytes)
                      .build())
              .build();
    }
    return json;
  }

  /** Takes what is wanted of the value at which the parser is, and goes to its end. */
  private void take(JsonParser parser, Step step, KeyParts parts)
      throws IOException, NoKeyException {
    JsonToken token = parser.currentToken();
    if (token.isScalarValue()) {
      if (step.part() >= 0) {
        parts.setText(
            step.part(),
            parser.getTextCharacters(),
            parser.getTextOffset(),
            parser.getTextLength());
      }
      return;
    }
    if (step.part() >= 0) {
      throw new NoKeyException(
          column(parser),
          "field '%s', which is the key, is an %s; name a field in it that is text, a number, true, false or null"
              .formatted(
                  paths.path(step.part()), token == JsonToken.START_OBJECT ? "object" : "array"),
          null);
    }
    if (token == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        Step next = step.field(parser.currentName());
        parser.nextToken();
        takeOrSkip(parser, next, parts);
      }
    } else {
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        takeOrSkip(parser, step.place(i), parts);
      }
    }
  }

  private void takeOrSkip(JsonParser parser, Step step, KeyParts parts)
      throws IOException, NoKeyException {
    if (step == null) {
      parser.skipChildren();
    } else {
      take(parser, step, parts);
    }
  }

  /** Whether there is nothing but blanks, as a carriage return is one. */
  static boolean isBlank(byte[] bytes, int from, int to) {
    return endWithoutBlanks(bytes, from, to) == from;
  }

  private static int endWithoutBlanks(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && " \t\r\n".indexOf(bytes[end - 1]) >= 0) {
      end--;
    }
    return end;
  }

  private static int column(JsonParser parser) {
    return parser.currentTokenLocation().getColumnNr();
  }

  private static int column(JsonProcessingException e, byte[] bytes, int from, int to) {
    if (e instanceof JsonEOFException) {
      return endWithoutBlanks(bytes, from, to) - from + 1;
    }
    return e.getLocation() == null ? 1 : e.getLocation().getColumnNr();
  }

  /** Jackson's words, without the place that we name ourselves. */
  private static String reason(JsonProcessingException e) {
    return e instanceof JsonEOFException
        ? "it ends too early"
        : e.getOriginalMessage().replaceAll("\\s*\\((start marker|for \\w+ starting) at .*", "");
  }
}
