package dev.unseen;

import dev.unseen.text.Parse;

/** Sizes of memory as numbers of bytes: {@code MiB(64)}, {@code parse("64M")}. */
public final class Memory {
  private Memory() {}

  /** Returns the bytes of this number of KiB, 1024 bytes each. */
  public static long KiB(long count) {
    return times(count, 10);
  }

  /** Returns the bytes of this number of MiB, 1024 KiB each. */
  public static long MiB(long count) {
    return times(count, 20);
  }

  /** Returns the bytes of this number of GiB, 1024 MiB each. */
  public static long GiB(long count) {
    return times(count, 30);
  }

  private static long times(long count, int shift) {
    return Math.multiplyExact(count, 1L << shift);
  }

  /**
   * Reads {@code 64M}, {@code 1.5G}, {@code 512 KiB}, {@code 4096}: binary units in any case, with
   * or without B or iB.
   *
   * @throws IllegalArgumentException if the text is not a size; the message tells the form
   */
  public static long parse(String text) {
    return Parse.size("size", text);
  }
}
