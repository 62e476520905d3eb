package dev.unseen;

import dev.unseen.text.Parse;
import dev.unseen.text.Require;

/** Converts sizes of memory to bytes: {@code MiB(64)}, {@code parse("64M")}. */
public final class Memory {
  private Memory() {}

  /** Returns the number of bytes in this number of KiB, which are 1024 bytes each. */
  public static long KiB(long count) {
    return times(count, 10);
  }

  /** Returns the number of bytes in this number of MiB, which are 1024 KiB each. */
  public static long MiB(long count) {
    return times(count, 20);
  }

  /** Returns the number of bytes in this number of GiB, which are 1024 MiB each. */
  public static long GiB(long count) {
    return times(count, 30);
  }

  private static long times(long count, int shift) {
    long most = Long.MAX_VALUE >> shift;
    Require.that(count >= 0 && count <= most, "size", count, "0 to " + most);
    return count << shift;
  }

  /**
   * Parses a size such as {@code 64M}, {@code 1.5G}, {@code 512 KiB} or {@code 4096}. Units are
   * binary, in upper or lower case, with or without B or iB.
   *
   * @throws IllegalArgumentException if the text is not a size; the message shows the expected form
   */
  public static long parse(String text) {
    return Parse.size("size", text);
  }
}
