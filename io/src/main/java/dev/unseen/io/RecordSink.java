package dev.unseen.io;

import java.util.List;

/**
 * Takes what a {@link RecordCutter} finds. Each piece begins where the one before it ended, and
 * {@code end} is behind its line end: together they are the whole file.
 */
public interface RecordSink {
  /** A record, and where the bytes of its key are until the next call. */
  void record(int end, byte[] key, int from, int to) throws InputException;

  /**
   * Lines one behind the other, the first from {@code start} on, each of which is its own key but
   * for its line end, one byte: the same as to tell of each record.
   *
   * @param ends of the lines, each behind its line end; the first {@code count} of them count
   */
  default void lines(byte[] bytes, int start, int[] ends, int count) throws InputException {
    int from = start;
    for (int i = 0; i < count; i++) {
      record(ends[i], bytes, from, ends[i] - 1);
      from = ends[i];
    }
  }

  /** A header with these columns. */
  void header(int end, List<String> columns) throws InputException;

  /** A mark before all records, as some programs put before UTF-8. */
  void mark(int end);

  /** An empty line that is no record. */
  void blank(int end);

  /**
   * A record that does not parse or has no such key.
   *
   * @param line where it begins, from 1
   * @param column of the line in which the trouble is, in bytes from 1
   * @throws InputException to end it all
   */
  void bad(int end, long line, long column, String reason) throws InputException;
}
