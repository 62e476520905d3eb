package dev.unseen.state;

import java.io.IOException;

/**
 * Walks over a state, to write it or to read it. Who is visited keeps what each call returns: the
 * value shown, or the one read in its place.
 *
 * <pre>{@code
 * iter = visitor.number("iter", iter, 0, Long.MAX_VALUE);
 * }</pre>
 */
public interface StateVisitor {
  /** A whole number, and the least and the most it can be. */
  long number(String name, long value, long min, long max) throws IOException;

  /** A number that is not whole, 0 or above. */
  double real(String name, double value) throws IOException;

  /**
   * The storage: the last that is shown.
   *
   * @param check sees the words if they are read, after the numbers before them
   */
  void words(Storage words, StorageCheck check) throws IOException;

  /** How often something happened. */
  default long count(String name, long value) throws IOException {
    return number(name, Math.min(value, Counts.MOST), 0, Counts.MOST);
  }

  /** A number that is not whole, and the least and the most it can be. */
  default double real(String name, double value, double min, double max) throws IOException {
    return real(name, value);
  }

  /**
   * A whole number, 0 or above, that states did not have at first. All of these are shown together,
   * as the last numbers before the storage.
   *
   * @param missing what is returned if an older state is read, which has none of them; it may be
   *     below 0, and is then written and read as it is
   */
  default long later(String name, long value, long missing) throws IOException {
    return number(name, Math.min(value, Counts.MOST), Math.min(0, missing), Counts.MOST);
  }

  /** Any whole number. */
  default long number(String name, long value) throws IOException {
    return number(name, value, Long.MIN_VALUE, Long.MAX_VALUE);
  }
}
