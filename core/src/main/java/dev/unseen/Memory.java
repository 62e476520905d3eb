package dev.unseen;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes of memory as numbers of bytes: {@code MiB(64)}, {@code parse("64M")}. */
public final class Memory {
  private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([KMGT]?)(?:I?B)?");
  private static final String UNITS = "KMGT";

  private Memory() {}

  /** So many times 1024 bytes. */
  public static long KiB(long count) {
    return times(count, 10);
  }

  /** So many times 1024 KiB. */
  public static long MiB(long count) {
    return times(count, 20);
  }

  /** So many times 1024 MiB. */
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
   * @throws IllegalArgumentException that tells the form, if it is not a size
   */
  public static long parse(String text) {
    Matcher size = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!size.matches()) {
      throw new IllegalArgumentException(
          "size '%s' must be a number and a unit, such as 512K, 64M or 2G".formatted(text));
    }
    int shift = size.group(2).isEmpty() ? 0 : 10 * (UNITS.indexOf(size.group(2)) + 1);
    double bytes = Double.parseDouble(size.group(1)) * (1L << shift);
    if (bytes >= Long.MAX_VALUE) {
      throw new IllegalArgumentException("size '%s' is beyond 64 bits".formatted(text));
    }
    return (long) bytes;
  }
}
