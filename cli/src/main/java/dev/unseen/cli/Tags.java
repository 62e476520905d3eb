package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.io.CutSpec;
import dev.unseen.io.RecordFormat;

/**
 * Keeps all records and marks each as {@code new} or {@code duplicate}: in the last field of a JSON
 * object, in the last column of CSV and TSV, before a tab at the beginning of a line.
 */
final class Tags {
  private static final String NEW = "new";
  private static final String DUPLICATE = "duplicate";

  private final String field;
  private final CutSpec cuts;
  private RecordFormat format;
  private byte[] header;
  private byte[] fresh;
  private byte[] duplicate;

  Tags(String field, CutSpec cuts) {
    this.field = field;
    this.cuts = cuts;
  }

  /** Writes the pieces of a batch, but for those that nobody gets. */
  void write(Batch batch, Verdicts verdicts, RecordWriter out) throws Failure {
    if (format != batch.origin().format()) {
      speak(batch.origin().format());
    }
    for (int i = 0; i < batch.count(); i++) {
      boolean isFresh = Verdicts.isSet(verdicts.fresh(), i);
      boolean isDuplicate = Verdicts.isSet(verdicts.duplicate(), i);
      if (isFresh && isDuplicate) {
        heading(batch, i, out);
      } else if (isFresh || isDuplicate) {
        record(batch, i, isFresh ? fresh : duplicate, out);
      }
    }
  }

  private void speak(RecordFormat next) {
    format = next;
    switch (format) {
      case CSV, TSV -> {
        char separator = cuts.separatorOf(format);
        header = bytes(separator + column(separator));
        fresh = bytes(separator + NEW);
        duplicate = bytes(separator + DUPLICATE);
      }
      case JSONL -> {
        fresh = bytes("\"%s\":\"%s\"".formatted(jsonText(field), NEW));
        duplicate = bytes("\"%s\":\"%s\"".formatted(jsonText(field), DUPLICATE));
      }
      default -> {
        fresh = bytes(NEW + "\t");
        duplicate = bytes(DUPLICATE + "\t");
      }
    }
  }

  private String column(char separator) {
    boolean plain =
        field.chars().noneMatch(c -> c == separator || c == '"' || c == '\n' || c == '\r');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }

  private static String jsonText(String text) {
    StringBuilder json = new StringBuilder();
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
              } else if (c < 0x20) {
                json.append("\\u00").append(Character.forDigit(c >> 4, 16));
                json.append(Character.forDigit(c & 15, 16));
              } else {
                json.append((char) c);
              }
            });
    return json.toString();
  }

  private void heading(Batch batch, int i, RecordWriter out) throws Failure {
    if (batch.isMark(i)) {
      out.write(batch.bytes, batch.start(i), batch.end(i), true);
    } else {
      append(batch, i, header, out);
    }
  }

  private void record(Batch batch, int i, byte[] tag, RecordWriter out) throws Failure {
    switch (format) {
      case CSV, TSV -> append(batch, i, tag, out);
      case JSONL -> insert(batch, i, tag, out);
      default -> {
        out.write(tag);
        out.write(batch.bytes, batch.start(i), batch.end(i), batch.isTerminated(i));
      }
    }
  }

  /** Writes a piece with the tag before its line end. */
  private static void append(Batch batch, int i, byte[] tag, RecordWriter out) throws Failure {
    int start = batch.start(i);
    int end = batch.end(i);
    int body = end;
    while (body > start && (batch.bytes[body - 1] == '\n' || batch.bytes[body - 1] == '\r')) {
      body--;
    }
    out.write(batch.bytes, start, body, true);
    out.write(tag);
    out.write(batch.bytes, body, end, batch.isTerminated(i));
  }

  /** Writes a JSON object with the tag before its closing brace. */
  private void insert(Batch batch, int i, byte[] tag, RecordWriter out) throws Failure {
    byte[] bytes = batch.bytes;
    int start = batch.start(i);
    int end = batch.end(i);
    int close = end - 1;
    while (close > start && bytes[close] != '}' && isBlank(bytes[close])) {
      close--;
    }
    int last = close - 1;
    while (last > start && isBlank(bytes[last])) {
      last--;
    }
    int open = start;
    while (open < close && isBlank(bytes[open])) {
      open++;
    }
    if (bytes[close] != '}' || bytes[open] != '{') {
      throw Failure.inputOrOutput(
          "%s: a record is no JSON object and cannot have the field '%s': %s"
              .formatted(batch.origin().name(), field, excerpt(bytes, start, end)),
          null);
    }
    out.write(bytes, start, close, true);
    if (last > open) {
      out.write(bytes(","));
    }
    out.write(tag);
    out.write(bytes, close, end, batch.isTerminated(i));
  }

  private static String excerpt(byte[] bytes, int start, int end) {
    String text = new String(bytes, start, Math.min(60, end - start), UTF_8).strip();
    return end - start > 60 ? text + "..." : text;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == 0;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
