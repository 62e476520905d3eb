package dev.unseen.io;

import java.io.Closeable;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of a file's records, one by one, in order.
 *
 * <pre>{@code
 * try (KeyReader keys = KeyReader.open(file, RecordFormat.CSV, RecordSpec.of(KeySpec.of("id")))) {
 *   while (keys.next()) {
 *     hash.hash(keys.buffer(), keys.offset(), keys.length());
 *   }
 * }
 * }</pre>
 *
 * <p>The key of a record has these bytes:
 *
 * <ul>
 *   <li>lines: the line without its newline;
 *   <li>int32be, int64be: the 4 or 8 bytes;
 *   <li>CSV and TSV: the column's bytes, without quotes. Any encoding works in which separators,
 *       quotes and newlines are the same as in ASCII;
 *   <li>JSON: the value's text in UTF-8. {@code "1"} and {@code 1} are the same. Numbers are used
 *       as written, so {@code 1.0} is not {@code 1}. An object or array is used as its text without
 *       blanks, with its names in order. If a field occurs twice, the last one counts;
 *   <li>several fields: each with its length before it, in the order of the {@link KeySpec}, so
 *       that {@code ab,c} is not {@code a,bc};
 *   <li>a field that is missing, or a key whose fields are all null (JSON) or empty (CSV and TSV),
 *       is an error, unless the spec says that null is a key; an empty string of JSON is a key;
 *   <li>no fields: for CSV and TSV all columns as above, however they are quoted; for JSON Lines
 *       the line, unparsed.
 * </ul>
 *
 * <p>Empty lines are not records in CSV, TSV and keyed JSON. Only one thread may use a reader.
 * After an exception a reader can only be closed.
 */
public final class KeyReader implements Closeable {
  private final Source source;
  private final RecordReader reader;
  private final boolean skips; // records that cannot be used
  private final Keys keys = new Keys();
  private int next;
  private long records;
  private long skipped;
  private boolean ended;
  private @Nullable InputException failure; // thrown after the records before it have been read

  private KeyReader(
      Source source, RecordFormat format, RecordSpec spec, int maxRecordBytes, boolean skips) {
    format.check(spec);
    this.source = source;
    this.skips = skips;
    this.reader =
        new RecordReader(source, format.cutter(spec, source.name()), spec, maxRecordBytes);
  }

  /**
   * Opens a file.
   *
   * @throws InputException if the file cannot be read
   * @throws IllegalArgumentException if the format does not support these keys
   */
  public static KeyReader open(Path file, RecordFormat format, RecordSpec spec)
      throws InputException {
    format.check(spec);
    return of(Source.open(file.toString()), format, spec, RecordReader.MAX_RECORD_BYTES, false);
  }

  /**
   * Creates a reader of a stream. Closing the reader closes the stream.
   *
   * @param name the name of the stream in messages
   * @throws IllegalArgumentException if the format does not support these keys
   */
  public static KeyReader of(InputStream in, String name, RecordFormat format, RecordSpec spec) {
    return of(Source.of(in, name), format, spec, RecordReader.MAX_RECORD_BYTES, false);
  }

  /**
   * Creates a reader of a source. Closing the reader closes the source.
   *
   * @param maxRecordBytes the largest number of bytes of a record
   * @param skips whether records that cannot be used are left out; otherwise {@link #next} fails
   * @throws IllegalArgumentException if the format does not support these keys
   */
  public static KeyReader of(
      Source source, RecordFormat format, RecordSpec spec, int maxRecordBytes, boolean skips) {
    return new KeyReader(source, format, spec, maxRecordBytes, skips);
  }

  /**
   * Advances to the key of the next record.
   *
   * @return false at the end of the file
   * @throws InputException if the file cannot be read or a record cannot be used
   */
  public boolean next() throws InputException {
    next++;
    while (next >= keys.count) {
      if (failure != null) {
        throw failure;
      }
      if (ended) {
        return false;
      }
      next = 0;
      try {
        ended = !reader.fill(keys);
      } catch (InputException e) {
        failure = e;
      }
    }
    records++;
    return true;
  }

  /**
   * Returns an array that contains the key's bytes from {@link #offset} on. The bytes are valid
   * until the next call.
   */
  public byte[] buffer() {
    return keys.bytes;
  }

  /** Returns the index of the key's first byte in {@link #buffer}. */
  public int offset() {
    return next == 0 ? 0 : keys.ends[next - 1];
  }

  /** Returns the number of bytes of the key. */
  public int length() {
    return keys.ends[next] - offset();
  }

  /** Returns the number of records read so far. A header is not a record. */
  public long records() {
    return records;
  }

  /** Returns whether this is the last key of the bytes read so far: the next one needs a read. */
  public boolean isLastOfRead() {
    return next + 1 >= keys.count;
  }

  /** Returns the number of records left out so far because they could not be used. */
  public long skipped() {
    return skipped;
  }

  @Override
  public void close() {
    source.close();
  }

  /** The keys of a block, one after the other. */
  private final class Keys extends Block {
    private byte[] bytes = new byte[1 << 12];
    private int[] ends = new int[1 << 10];
    private int count;
    private int pieces;

    Keys() {
      super(RecordReader.READ_BYTES);
    }

    @Override
    protected void begin() {
      count = 0;
      pieces = 0;
    }

    @Override
    public int count() {
      return pieces;
    }

    @Override
    protected void finish(boolean terminated) {
      // Keys do not mind how records end.
    }

    @Override
    public void record(int end, byte[] key, int from, int to, long time) {
      pieces++;
      int start = count == 0 ? 0 : ends[count - 1];
      int size = to - from;
      if (size > bytes.length - start) {
        bytes = Arrays.copyOf(bytes, Math.max(start + size, Math.max(2 * bytes.length, 0)));
      }
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, 2 * count);
      }
      System.arraycopy(key, from, bytes, start, size);
      ends[count++] = start + size;
    }

    @Override
    public void between(int end) {
      pieces++;
    }

    @Override
    public void bad(int end, long line, long column, String reason) throws InputException {
      if (!skips) {
        throw new InputException(
            "%s, line %d, column %d: %s".formatted(source.name(), line, column, reason));
      }
      pieces++;
      skipped++;
    }

    @Override
    public void more(int end) {
      pieces++;
    }
  }
}
