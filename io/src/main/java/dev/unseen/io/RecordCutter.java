package dev.unseen.io;

import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a file into records and finds the key of each, without creating an object per
 * record.
 *
 * <p>A cutter remembers how far it has read into an incomplete record, so that a long record that
 * arrives in small pieces is read only once. It is for one file and one thread.
 */
public interface RecordCutter {
  /**
   * Passes every complete record to the sink.
   *
   * @param bytes contain, from {@code from} on, what belongs to no record yet: the next call starts
   *     with the bytes from where this one returns
   * @param last whether nothing comes after {@code to}
   * @return the index of the first record that is not complete yet; {@code to} if there is none
   */
  int cut(byte[] bytes, int from, int to, boolean last, RecordSink sink) throws InputException;

  /** What {@link #resume} returns if there is no place to resume at. */
  int NO_PLACE = -1;

  /**
   * Ends the incomplete record early, because it is too long: passes its first lines to the sink as
   * bad, and resumes after them. By default there is no such place.
   *
   * @param from where the record begins
   * @param maxBytes the longest record that is allowed
   * @return the index from which to cut again; {@link #NO_PLACE} if nothing was passed on
   */
  default int resume(int from, int maxBytes, RecordSink sink) throws InputException {
    return NO_PLACE;
  }

  /** Returns the line, from 1, in which the next record begins. */
  long line();

  /**
   * Forgets the incomplete record, because the caller has handled it.
   *
   * @param lines the number of lines of the record
   */
  void leaveOut(long lines);

  /** Returns whether a file may be split after a line end, in the hope that a record ends there. */
  default boolean splitsAtLineEnds() {
    return false;
  }

  /**
   * Returns a cutter for bytes further on in the file, the first of which begin a record; null if
   * that is not possible, or not yet.
   */
  default @Nullable RecordCutter fork() {
    return null;
  }
}
