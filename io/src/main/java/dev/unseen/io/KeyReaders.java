package dev.unseen.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Opens files to read the keys of their records. Files compressed with gzip, xz or zstd are known
 * by their first bytes and read as what is in them.
 *
 * <p>The bytes of a key:
 *
 * <ul>
 *   <li>lines: the line without its newline;
 *   <li>int32be, int64be: the 4 or 8 bytes;
 *   <li>CSV and TSV: the column's bytes, without quotes. Any encoding in which commas, quotes and
 *       newlines are those of ASCII comes through unchanged;
 *   <li>JSON Lines: the value's text in UTF-8: of {@code "1"} and {@code 1} the same, of numbers as
 *       written ({@code 1.0} is not {@code 1}), {@code true}, {@code false} or {@code null}. An
 *       object or array is refused: the same one can be written in many ways. Of fields that are
 *       there twice the last counts;
 *   <li>several fields: each with its length before it, in the order of the {@link KeySpec}, so
 *       that {@code ab,c} is not {@code a,bc};
 *   <li>no fields: of CSV and TSV all columns as above, however they are quoted; of JSON Lines the
 *       line, unparsed.
 * </ul>
 *
 * <p>Empty lines are no records in CSV, TSV and keyed JSON Lines.
 */
public final class KeyReaders {
  /** The longest line, CSV record or JSON text: 64 MiB. */
  public static final int MAX_RECORD_BYTES = 64 << 20;

  private KeyReaders() {}

  /**
   * Opens a file.
   *
   * @throws InputException if the file cannot be read or lacks the columns
   * @throws IllegalArgumentException if the format has no such keys
   */
  public static KeyReader open(Path file, RecordFormat format, KeySpec key) throws InputException {
    check(format, key);
    String name = file.toString();
    if (Files.isDirectory(file)) {
      throw new InputException("%s is a directory; name a file".formatted(name));
    }
    InputStream in;
    try {
      in = Files.newInputStream(file);
    } catch (NoSuchFileException e) {
      throw new InputException("%s is not there; check the name".formatted(name), e);
    } catch (AccessDeniedException e) {
      throw new InputException("%s may not be read; check its permissions".formatted(name), e);
    } catch (IOException e) {
      throw new InputException("%s cannot be opened: %s".formatted(name, e.getMessage()), e);
    }
    return open(in, name, format, key);
  }

  /**
   * Reads a stream, and closes it with the reader, or at once if it cannot be read.
   *
   * @param name stands for the stream in messages
   * @throws InputException if the stream cannot be read or lacks the columns
   * @throws IllegalArgumentException if the format has no such keys
   */
  public static KeyReader open(InputStream in, String name, RecordFormat format, KeySpec key)
      throws InputException {
    check(format, key);
    Source source = Source.open(in, name);
    try {
      return reader(source, format, key);
    } catch (InputException | RuntimeException e) {
      Source.closeAfter(e, source);
      throw e;
    }
  }

  private static KeyReader reader(Source source, RecordFormat format, KeySpec key)
      throws InputException {
    return switch (format) {
      case LINES -> new LineReader(source, MAX_RECORD_BYTES);
      case INT32BE -> new IntegerReader(source, Integer.BYTES);
      case INT64BE -> new IntegerReader(source, Long.BYTES);
      case CSV -> new CsvKeyReader(source, ',', key, MAX_RECORD_BYTES);
      case TSV -> new CsvKeyReader(source, '\t', key, MAX_RECORD_BYTES);
      case JSONL ->
          key.isWholeRecord()
              ? new LineReader(source, MAX_RECORD_BYTES)
              : new JsonKeyReader(source, key, MAX_RECORD_BYTES);
    };
  }

  /** Refuses, before a file is touched, what can be seen to be wrong without it. */
  static void check(RecordFormat format, KeySpec key) {
    switch (format) {
      case CSV, TSV -> new Columns(key);
      case JSONL -> new JsonPaths(key);
      default -> {
        if (!key.isWholeRecord()) {
          throw new IllegalArgumentException(
              "key '%s' needs format csv, tsv or jsonl; format %s has no fields"
                  .formatted(String.join(",", key.fields()), format.id()));
        }
      }
    }
  }
}
