package dev.unseen.io;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Reads the key columns of CSV and TSV. Bytes go through the parser as chars of the same number
 * (ISO 8859-1), so that keys of any encoding come out as the bytes they are in the file.
 */
final class CsvKeyReader implements KeyReader {
  private final Source source;
  private final int maxBytes;
  private final CsvReader<Row> csv;
  private final Iterator<Row> rows;
  private final Row row = new Row();
  private final KeyParts parts;
  private final List<Integer> places;
  private long records;

  /** The limit must be a power of two: FastCSV 4.4.0 doubles its buffer, and fails in between. */
  CsvKeyReader(Source source, char separator, KeySpec key, int maxBytes) throws InputException {
    this.source = source;
    this.maxBytes = maxBytes;
    source.skipByteOrderMark();
    csv =
        CsvReader.builder()
            .fieldSeparator(separator)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .allowUnclosedQuote(false)
            .maxBufferSize(maxBytes)
            .build(row, new InputStreamReader(source.stream(), StandardCharsets.ISO_8859_1));
    rows = csv.iterator();
    Columns columns = new Columns(key);
    places = columns.haveHeader() ? columns.places(readHeader(), source.name()) : columns.places();
    parts = new KeyParts(places.size());
    row.collect(places, parts);
  }

  private List<String> readHeader() throws InputException {
    List<String> names = new ArrayList<>();
    row.header = names;
    advance();
    row.header = null;
    return names;
  }

  @Override
  public boolean next() throws InputException {
    parts.clear();
    if (!advance()) {
      return false;
    }
    if (row.tooLong) {
      throw new InputException(
          "%s, line %d: the record is longer than %d bytes, the longest that is read; is a quote never closed?"
              .formatted(source.name(), row.line(), maxBytes));
    }
    int missing = parts.missing();
    if (missing >= 0) {
      throw new InputException(
          "%s, line %d: the record ends before column %d, which the key needs; add the column or leave the record out"
              .formatted(source.name(), row.line(), places.get(missing) + 1));
    }
    parts.finish(places.isEmpty() ? row.width() : places.size());
    records++;
    return true;
  }

  private boolean advance() throws InputException {
    try {
      boolean more = rows.hasNext();
      if (more) {
        rows.next();
      }
      return more;
    } catch (UncheckedIOException e) {
      throw source.failure(e.getCause(), records);
    } catch (CsvParseException e) {
      throw new InputException(
          "%s, line %d: the CSV does not parse: %s; a quote within quotes must be doubled"
              .formatted(source.name(), row.line(), reason(e)),
          e);
    }
  }

  /** FastCSV's words, without the line that we name ourselves. */
  private static String reason(CsvParseException e) {
    return e.getMessage().replaceFirst("[. ]*\\(record starting at line \\d+\\)", "");
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
    source.close();
  }

  /** Takes from each record what is wanted, with no object a field. */
  private final class Row extends AbstractBaseCsvCallbackHandler<Row> {
    private List<String> header; // set while the header is read
    private KeyParts key;
    private int[] partOfPlace = {}; // empty: every column is a part
    private boolean tooLong;

    void collect(List<Integer> wanted, KeyParts into) {
      key = into;
      partOfPlace = new int[wanted.stream().mapToInt(place -> place + 1).max().orElse(0)];
      for (int part = 0; part < wanted.size(); part++) {
        partOfPlace[wanted.get(part)] = part + 1;
      }
    }

    long line() {
      return getStartingLineNumber();
    }

    int width() {
      return getFieldCount();
    }

    @Override
    protected void handleField(int place, char[] chars, int from, int size, boolean quoted) {
      if (header != null) {
        byte[] name = new String(chars, from, size).getBytes(StandardCharsets.ISO_8859_1);
        header.add(new String(name, StandardCharsets.UTF_8));
      } else if (key.used() > maxBytes - size) {
        tooLong = true;
      } else if (partOfPlace.length == 0) {
        key.setBytes(place, chars, from, size);
      } else if (place < partOfPlace.length && partOfPlace[place] > 0) {
        key.setBytes(partOfPlace[place] - 1, chars, from, size);
      }
    }

    @Override
    protected Row buildRecord() {
      return this;
    }
  }
}
