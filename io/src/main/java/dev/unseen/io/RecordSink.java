package dev.unseen.io;

import java.util.List;

/**
 * Receives the pieces of a file that a {@link RecordCutter} finds. Each piece begins where the
 * previous one ended, and {@code end} is the index after its line end: all pieces together are the
 * whole file.
 */
public interface RecordSink {
  /**
   * Receives a record. The bytes of its key are valid until the next call.
   *
   * @param time the time of the record in milliseconds since 1970; 0 if records have no time
   */
  void record(int end, byte[] key, int from, int to, long time) throws InputException;

  /**
   * Receives several lines, one after the other, the first from {@code start} on. Each line without
   * its line end, which is one byte, is its own key. The effect is the same as calling {@link
   * #record} for each line.
   *
   * @param ends the index after the line end of each line; only the first {@code count} are valid
   */
  default void lines(byte[] bytes, int start, int[] ends, int count) throws InputException {
    int from = start;
    for (int i = 0; i < count; i++) {
      record(ends[i], bytes, from, ends[i] - 1, 0);
      from = ends[i];
    }
  }

  /**
   * Receives the news that the next record, good or bad, has a null key: the fields of its key are
   * missing, null or empty. By default it is ignored.
   */
  default void nullKey() {}

  /** Receives a header with these columns. */
  default void header(int end, List<String> columns) throws InputException {
    between(end);
  }

  /** Receives a byte order mark, which some programs put before UTF-8. */
  default void mark(int end) {
    between(end);
  }

  /** Receives an empty line, which has no key. */
  default void blank(int end) {
    between(end);
  }

  /** Receives bytes between records that belong to none, such as the commas of a JSON array. */
  void between(int end);

  /**
   * Receives a record that cannot be used, because it does not parse, has no key or time, or is too
   * long.
   *
   * @param line the line in which it begins, from 1
   * @param column the place of the problem in its line, in bytes from 1
   * @throws InputException to end the run
   */
  void bad(int end, long line, long column, String reason) throws InputException;

  /** Receives more bytes of the bad record before. */
  void more(int end);
}
