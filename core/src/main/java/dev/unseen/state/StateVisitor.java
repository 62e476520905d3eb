package dev.unseen.state;

import java.io.IOException;

/**
 * Visits the values of a state, either to write them or to read them. The caller stores the value
 * that each call returns: the same value when writing, and the value from the file when reading.
 *
 * <pre>{@code
 * iter = visitor.number("iter", iter, 0, Long.MAX_VALUE);
 * }</pre>
 */
public interface StateVisitor {
  /** Visits a whole number with its smallest and largest possible value. */
  long number(String name, long value, long min, long max) throws IOException;

  /** Visits a number that need not be whole, with its smallest and largest possible value. */
  double real(String name, double value, double min, double max) throws IOException;

  /** Visits the storage, which must come last, with a check of the words that are read. */
  void words(Words words, StorageCheck check) throws IOException;

  /** Visits a count of events, 0 to {@link Counts#MOST}. */
  default long count(String name, long value) throws IOException {
    return number(name, Math.min(value, Counts.MOST), 0, Counts.MOST);
  }

  /** Visits any whole number. */
  default long number(String name, long value) throws IOException {
    return number(name, value, Long.MIN_VALUE, Long.MAX_VALUE);
  }
}
