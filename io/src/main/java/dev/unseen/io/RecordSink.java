package dev.unseen.io;

import java.util.List;

/**
 * Takes what a {@link RecordCutter} finds. Each piece begins where the one before it ended, and
 * {@code end} is behind its line end: together they are the whole file.
 */
public interface RecordSink {
  /**
   * A record, and where the bytes of its key are until the next call.
   *
   * @param time of the record in milliseconds since 1970; 0 if records have none
   */
  void record(int end, byte[] key, int from, int to, long time) throws InputException;

  /**
   * Lines one behind the other, the first from {@code start} on, each of which is its own key but
   * for its line end, one byte: the same as to tell of each record.
   *
   * @param ends of the lines, each behind its line end; the first {@code count} of them count
   */
  default void lines(byte[] bytes, int start, int[] ends, int count) throws InputException {
    int from = start;
    for (int i = 0; i < count; i++) {
      record(ends[i], bytes, from, ends[i] - 1, 0);
      from = ends[i];
    }
  }

  /** A header with these columns. */
  void header(int end, List<String> columns) throws InputException;

  /** A mark before all records, as some programs put before UTF-8. */
  void mark(int end);

  /** An empty line, which has no key. */
  void blank(int end);

  /** Bytes between records that belong to none, such as the commas of a JSON array. */
  void between(int end);

  /**
   * A record that cannot be used: it does not parse, has no such key or time, or is too long.
   *
   * @param line where it begins, from 1
   * @param column of the line in which the trouble is, in bytes from 1
   * @throws InputException to end it all
   */
  void bad(int end, long line, long column, String reason) throws InputException;

  /** More bytes of the record that was bad just before. */
  void more(int end);
}
