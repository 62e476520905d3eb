package dev.unseen.io;

/**
 * Cuts the bytes of a file into records and finds the key of each, without an object per record.
 *
 * <p>Remembers how far it has looked into a record that has not ended, so that a long record that
 * arrives in small pieces is looked at once. For one file and one thread.
 */
public interface RecordCutter {
  /**
   * Tells the sink of every whole record.
   *
   * @param bytes hold, from {@code from} on, what no record has had yet: the next call begins with
   *     the bytes where this one returns
   * @param last whether nothing comes behind {@code to}
   * @return where the first record begins that is not whole yet; {@code to} if there is none
   */
  int cut(byte[] bytes, int from, int to, boolean last, RecordSink sink) throws InputException;

  /** The line, from 1, in which the record begins that comes next. */
  long line();

  /**
   * Forgets the record that has not ended, which somebody else has dealt with.
   *
   * @param lines how many lines it had
   */
  void leaveOut(long lines);

  /**
   * Returns whether a file may be split behind a line end, in the hope that a record ends there.
   */
  default boolean splitsAtLineEnds() {
    return false;
  }

  /**
   * Returns a cutter for bytes further on in the file, the first of which begin a record; null if
   * that is not possible, or not yet.
   */
  default RecordCutter fork() {
    return null;
  }
}
