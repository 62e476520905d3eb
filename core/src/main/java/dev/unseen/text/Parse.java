package dev.unseen.text;

import dev.unseen.error.OptionException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Parses quantities as people write them.
 *
 * <p>Each method takes the name by which the user knows the value, such as {@code --records}. If
 * the text is not valid, it throws an {@link OptionException} with the name, the text, the expected
 * form and an example.
 */
public final class Parse {
  private static final String NUMBER = "(\\d+(?:\\.\\d+)?)";

  private static final Pattern SIZE = Pattern.compile(NUMBER + "\\s*([KMGT]?)(?:I?B)?");

  private static final Pattern COUNT =
      Pattern.compile(
          "(\\d+(?:\\.\\d+)?(?:e[+]?\\d{1,2})?)"
              + "(?:\\s*(k|thousand|m|million|g|b|billion|t|trillion))?");

  private static final Pattern DURATION = Pattern.compile(NUMBER + "\\s*(ms|s|m|h|d)");

  private static final Pattern SHARE =
      Pattern.compile("((?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,3})?)\\s*(%?)");

  private static final BigDecimal COUNTS_END = new BigDecimal("1e18");

  private Parse() {}

  /** Parses a size in bytes: {@code 64M}, {@code 1.5G}, {@code 512 KiB}, {@code 4096}. */
  public static long size(String name, String text) {
    Matcher size = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!size.matches()) {
      throw OptionException.malformed(name, text, "a number and a unit, such as 512K, 64M or 2G");
    }
    int power = size.group(2).isEmpty() ? 0 : 1 + "KMGT".indexOf(size.group(2));
    BigDecimal bytes =
        new BigDecimal(size.group(1)).multiply(BigDecimal.valueOf(1L << (10 * power)));
    if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw OptionException.malformed(name, text, "below 2^63 bytes, such as 512K, 64M or 2G");
    }
    return bytes.longValue();
  }

  /**
   * Parses a count of at least 1: {@code 1e9}, {@code 1_000_000}, {@code 5M}, {@code 2 million}.
   */
  public static long count(String name, String text) {
    String plain = text.strip().replaceAll("(?<=\\d)[_,](?=\\d)", "").toLowerCase(Locale.ROOT);
    Matcher count = COUNT.matcher(plain);
    if (count.matches()) {
      BigDecimal value = new BigDecimal(count.group(1)).scaleByPowerOfTen(zeros(count.group(2)));
      boolean whole = value.stripTrailingZeros().scale() <= 0;
      if (whole && value.signum() > 0 && value.compareTo(COUNTS_END) < 0) {
        return value.longValue();
      }
    }
    throw OptionException.malformed(
        name, text, "a whole number from 1 to below 1e18, such as 1e9, 1_000_000 or 5M");
  }

  private static int zeros(String unit) {
    return switch (unit == null ? "" : unit) {
      case "k", "thousand" -> 3;
      case "m", "million" -> 6;
      case "g", "b", "billion" -> 9;
      case "t", "trillion" -> 12;
      default -> 0;
    };
  }

  /**
   * Parses a duration: {@code 500ms}, {@code 90s}, {@code 15m}, {@code 24h}; {@code 10M} is a
   * count.
   */
  public static Duration duration(String name, String text) {
    Matcher duration = DURATION.matcher(text.strip());
    if (duration.matches()) {
      BigDecimal nanos =
          new BigDecimal(duration.group(1)).multiply(BigDecimal.valueOf(nanos(duration.group(2))));
      BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
      if (parts[0].compareTo(BigDecimal.valueOf(Long.MAX_VALUE / 1000)) < 0) {
        return Duration.ofSeconds(parts[0].longValue(), parts[1].longValue());
      }
    }
    throw OptionException.malformed(name, text, "a time, such as 500ms, 90s, 15m, 24h or 7d");
  }

  private static long nanos(String unit) {
    return switch (unit) {
      case "ms" -> 1_000_000L;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      default -> 86_400_000_000_000L;
    };
  }

  public static boolean isDuration(String text) {
    return DURATION.matcher(text.strip()).matches();
  }

  /** Parses a share from 0 to 1: {@code 0.6}, {@code 1e-4}, {@code 60%}, {@code 0.01 %}. */
  public static double share(String name, String text) {
    Matcher share = SHARE.matcher(text.strip());
    if (share.matches()) {
      BigDecimal number = new BigDecimal(share.group(1));
      double value = (share.group(2).isEmpty() ? number : number.movePointLeft(2)).doubleValue();
      if (value <= 1) {
        return value;
      }
    }
    throw OptionException.malformed(name, text, "a share from 0 to 1, such as 0.01, 1e-4 or 1%");
  }

  /** Parses a part: up to 1 or with a percent sign a share of the whole, above 1 a count. */
  public static double part(String name, String text, double whole) {
    Matcher share = SHARE.matcher(text.strip());
    boolean isShare =
        share.matches() && (!share.group(2).isEmpty() || Double.parseDouble(share.group(1)) <= 1);
    return isShare ? share(name, text) * whole : count(name, text);
  }

  /** Parses a whole number of at most 64 bits, which may be negative. */
  public static long number(String name, String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw OptionException.malformed(name, text, "a whole number of at most 64 bits").causedBy(e);
    }
  }

  /** Parses a whole number of at most 32 bits, which may be negative. */
  public static int integer(String name, String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw OptionException.malformed(name, text, "a whole number").causedBy(e);
    }
  }

  public static boolean flag(String name, String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw OptionException.malformed(name, text, "true or false");
    };
  }

  /** Parses the name of one of these constants, in upper or lower case. */
  public static <E extends Enum<E>> E choice(String name, String text, Class<E> type) {
    for (E one : type.getEnumConstants()) {
      if (one.name().equalsIgnoreCase(text.strip())) {
        return one;
      }
    }
    throw OptionException.unknown(
        name,
        text,
        Stream.of(type.getEnumConstants())
            .map(one -> one.name().toLowerCase(Locale.ROOT))
            .toList());
  }

  /** Parses the N of one in N: {@code 1/1024} is 1024, and {@code 1/1K} is 1000. */
  public static long oneIn(String name, String text) {
    String[] parts = text.strip().split("/", -1);
    if (parts.length == 2 && parts[0].strip().equals("1")) {
      try {
        return count(name, parts[1]);
      } catch (IllegalArgumentException e) {
        throw OptionException.malformed(name, text, "one in a whole number, such as 1/1024")
            .causedBy(e);
      }
    }
    throw OptionException.malformed(name, text, "one in a whole number, such as 1/1024");
  }
}
