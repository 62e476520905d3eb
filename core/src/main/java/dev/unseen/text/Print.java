package dev.unseen.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;

/**
 * Prints quantities as people read them.
 *
 * <p>All numbers follow one rule, {@link #digits}: a given number of significant digits, no zeros
 * at the end, thousands in groups, and powers of ten for very small numbers. Tables and reports
 * show three digits, and a status line shows two.
 *
 * <p>{@link #size}, {@link #share} and {@link #duration} round nothing: {@link Parse} reads them
 * back to the same value.
 */
public final class Print {
  private static final String[] BYTES = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  private static final String SIZES = "KMGT";

  /** The smallest share that is printed as a percentage. */
  private static final double LEAST_PERCENT = 1e-4;

  /** A smaller share, less than one in a trillion, never matters to anyone. */
  private static final double PRACTICALLY_NONE = 1e-12;

  private Print() {}

  /**
   * Returns a text without characters that control a terminal, a line, or the direction of writing.
   */
  public static String plain(String text) {
    if (text.codePoints().allMatch(Print::isPlain)) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isPlain(c)) {
                plain.appendCodePoint(c);
              } else {
                plain.append(String.format(Locale.ROOT, "\\u%04x", c));
              }
            });
    return plain.toString();
  }

  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  /**
   * Prints a number with this number of significant digits. All digits before the point stay, in
   * groups of three. A number that would have more zeros after the decimal point than digits is
   * printed as a power of ten, with one digit less.
   *
   * <pre>
   *   digits(12474.2, 3)  12,474       digits(12474.2, 2)   12,474
   *   digits(0.65104, 3)  0.651        digits(0.65104, 2)   0.65
   *   digits(0.01, 3)     0.01         digits(0.00404, 2)   0.004
   *   digits(1.23e-7, 3)  1.2e-7       digits(4.2e-15, 2)   4e-15
   * </pre>
   */
  public static String digits(double value, int digits) {
    double size = Math.abs(value);
    if (value == 0 || !Double.isFinite(value)) {
      return value == 0 ? "0" : Double.toString(value);
    }
    if (size >= Math.pow(10, digits) - 0.5) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size < Math.pow(10, -digits - 1)) {
      return String.format(Locale.ROOT, "%." + Math.max(0, digits - 2) + "e", value)
          .replaceFirst("(\\.\\d*?)0+e", "$1e")
          .replaceFirst("\\.e", "e")
          .replaceFirst("e-0*", "e-");
    }
    return BigDecimal.valueOf(value)
        .round(new MathContext(digits, RoundingMode.HALF_UP))
        .stripTrailingZeros()
        .toPlainString();
  }

  /** Prints a share as a percentage with three digits: {@code 0.651 %}, {@code 3.1e-7 %}. */
  public static String percent(double share) {
    return percent(share, 3);
  }

  /** Prints a share as a percentage with this number of digits: {@code 2.6 %}. */
  public static String percent(double share, int digits) {
    return digits(100 * share, digits) + " %";
  }

  /**
   * Prints a rate of errors: {@code 0.651 %}, {@code 1 in 500 million}, {@code practically none}.
   */
  public static String rate(double rate) {
    return rate(rate, 3);
  }

  /** Prints a rate of errors as {@link #rate(double)} does, with this number of digits. */
  public static String rate(double rate, int digits) {
    if (rate != 0 && rate < PRACTICALLY_NONE) {
      return "practically none";
    }
    return rate != 0 && rate < LEAST_PERCENT
        ? "1 in " + oneIn(rate, digits)
        : percent(rate, digits);
  }

  /**
   * Prints which share of some things an error concerns: {@code 7.9 % of new records}, {@code 1 new
   * record in 500 million}, {@code no new record}.
   */
  public static String portion(double share, String thing) {
    if (share < PRACTICALLY_NONE) {
      return (share == 0 ? "no " : "practically no ") + thing;
    }
    return share < LEAST_PERCENT
        ? "1 %s in %s".formatted(thing, oneIn(share, 2))
        : "%s of %ss".formatted(percent(share, 2), thing);
  }

  /** Prints which share of a memory is in use: {@code 2.6 %}, {@code less than 0.01 %}. */
  public static String load(double share, int digits) {
    return share > 0 && share < LEAST_PERCENT ? "less than 0.01 %" : percent(share, digits);
  }

  /** Returns the number of things of which one is this share. */
  private static String oneIn(double share, int digits) {
    return count(BigDecimal.valueOf(1 / share).round(new MathContext(digits)).doubleValue());
  }

  /** Prints a count: {@code 600 million}, {@code 95,607}. */
  public static String count(double count) {
    if (count >= 1e12) {
      return digits(count / 1e12, 3) + " trillion";
    }
    if (count >= 1e9) {
      return digits(count / 1e9, 3) + " billion";
    }
    return count >= 1e6
        ? digits(count / 1e6, 3) + " million"
        : String.format(Locale.ROOT, "%,.0f", count);
  }

  /** Returns a number of things, with all its digits: 1 record, 2,000 records. */
  public static String things(long count, String thing) {
    return String.format(Locale.ROOT, "%,d %s%s", count, thing, count == 1 ? "" : "s");
  }

  /** Prints a number of bytes with a binary unit: {@code 512 MiB}, {@code 2.13 GiB}. */
  public static String bytes(long bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < BYTES.length - 1) {
      value /= 1024;
      unit++;
    }
    return digits(value, 3) + " " + BYTES[unit];
  }

  /** Prints a speed: {@code 1.9 M/s}, {@code 850 k/s}, {@code 12/s}. */
  public static String perSecond(double count) {
    if (count >= 999_500) {
      return digits(count / 1e6, 2) + " M/s";
    }
    return count >= 999.5 ? digits(count / 1e3, 2) + " k/s" : digits(count, 2) + "/s";
  }

  /** Prints how long ago something was, in its largest unit: {@code 3 days}, {@code 1 minute}. */
  public static String age(Duration age) {
    if (age.toDays() > 0) {
      return things(age.toDays(), "day");
    }
    if (age.toHours() > 0) {
      return things(age.toHours(), "hour");
    }
    return age.toMinutes() > 0
        ? things(age.toMinutes(), "minute")
        : things(Math.max(0, age.toSeconds()), "second");
  }

  /** Prints a size as an option accepts it, in the largest unit that is exact: {@code 64M}. */
  public static String size(long bytes) {
    for (int power = SIZES.length(); power > 0; power--) {
      long unit = 1L << (10 * power);
      if (bytes != 0 && bytes % unit == 0) {
        return bytes / unit + SIZES.substring(power - 1, power);
      }
    }
    return Long.toString(bytes);
  }

  /** Prints a share as an option accepts it: {@code 1e-4}, {@code 0.01}. */
  public static String share(double share) {
    return Double.toString(share).replace(".0E", "e").replace('E', 'e');
  }

  /** Prints a duration as an option accepts it: {@code 90s}, {@code 24h}; days from two on. */
  public static String duration(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 60 != 0 || seconds == 0) {
      return seconds + "s";
    }
    if (seconds % 3600 != 0) {
      return seconds / 60 + "m";
    }
    return seconds % 86_400 != 0 || seconds < 2 * 86_400
        ? seconds / 3600 + "h"
        : seconds / 86_400 + "d";
  }

  /** Returns a number for a program: a whole number without a fraction. */
  public static String number(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }
}
