package dev.unseen.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.unseen.io.JsonPaths.Step;
import java.io.IOException;

/** Reads the values at some paths of JSON Lines. Each line is parsed to its end. */
final class JsonKeyReader implements KeyReader {
  private final Source source;
  private final LineReader lines;
  private final JsonFactory json;
  private final JsonPaths paths;
  private final KeyParts parts;
  private long records;

  JsonKeyReader(Source source, KeySpec key, int maxBytes) throws InputException {
    this.source = source;
    source.skipByteOrderMark();
    lines = new LineReader(source, maxBytes);
    paths = new JsonPaths(key);
    parts = new KeyParts(paths.count());
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

  @Override
  public boolean next() throws InputException {
    do {
      if (!lines.next()) {
        return false;
      }
    } while (lengthWithoutBlanks() == 0);
    parts.clear();
    try (JsonParser parser = json.createParser(lines.buffer(), lines.offset(), lines.length())) {
      parser.nextToken();
      take(parser, paths.root());
      if (parser.nextToken() != null) {
        throw failure(
            column(parser), "there is more than one JSON value; a line must have one", null);
      }
    } catch (JsonProcessingException e) {
      throw failure(
          column(e),
          "the JSON does not parse: %s; correct the line or leave it out".formatted(reason(e)),
          e);
    } catch (IOException e) {
      throw source.failure(e, records);
    }
    int missing = parts.missing();
    if (missing >= 0) {
      throw failure(
          1,
          "the record has no field '%s', which is the key; add it or leave the record out"
              .formatted(paths.path(missing)),
          null);
    }
    parts.finish(paths.count());
    records++;
    return true;
  }

  /** Takes what is wanted of the value at which the parser is, and goes to its end. */
  private void take(JsonParser parser, Step step) throws IOException {
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
      throw failure(
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
        takeOrSkip(parser, next);
      }
    } else {
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        takeOrSkip(parser, step.place(i));
      }
    }
  }

  private void takeOrSkip(JsonParser parser, Step step) throws IOException {
    if (step == null) {
      parser.skipChildren();
    } else {
      take(parser, step);
    }
  }

  /** How long the line is without blanks, and the carriage return, at its end. */
  private int lengthWithoutBlanks() {
    byte[] bytes = lines.buffer();
    int end = lines.offset() + lines.length();
    while (end > lines.offset() && " \t\r".indexOf(bytes[end - 1]) >= 0) {
      end--;
    }
    return end - lines.offset();
  }

  private InputException failure(int column, String what, Exception cause) {
    return new InputException(
        "%s, line %d, column %d: %s".formatted(source.name(), lines.records(), column, what),
        cause);
  }

  private static int column(JsonParser parser) {
    return parser.currentTokenLocation().getColumnNr();
  }

  private int column(JsonProcessingException e) {
    if (e instanceof JsonEOFException) {
      return lengthWithoutBlanks() + 1;
    }
    return e.getLocation() == null ? 1 : e.getLocation().getColumnNr();
  }

  /** Jackson's words, without the place that we name ourselves. */
  private static String reason(JsonProcessingException e) {
    return e instanceof JsonEOFException
        ? "it ends too early"
        : e.getOriginalMessage().replaceAll("\\s*\\((start marker|for \\w+ starting) at .*", "");
  }

  @Override
  public byte[] buffer() {
    return parts.buffer();
  }

  @Override
  public int offset() {
    return parts.offset();
  }

  @Override
  public int length() {
    return parts.length();
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
