package dev.unseen.cli.plan;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers as people write them: counts like {@code 1e9} or {@code 5M}, shares like {@code 60%}. */
final class Quantity {
  private static final Pattern COUNT =
      Pattern.compile("(\\d+(?:\\.\\d+)?(?:[eE][+]?\\d{1,2})?)([kKmMgGbBtT]?)");

  private Quantity() {}

  /** {@code 1e9}, {@code 1_000_000}, {@code 1,000,000}, {@code 5M}, {@code 2.5k}: at least 1. */
  static double count(String option, String text) {
    Matcher number = COUNT.matcher(text.strip().replaceAll("(?<=\\d)[_,](?=\\d)", ""));
    if (!number.matches()) {
      throw new IllegalArgumentException(
          "%s '%s' must be a number, such as 1e9, 1_000_000 or 5M".formatted(option, text));
    }
    double count = Double.parseDouble(number.group(1)) * unit(number.group(2));
    if (count < 1 || count >= 1e18) {
      throw new IllegalArgumentException(
          "%s '%s' must be at least 1 and below 1e18".formatted(option, text));
    }
    return count;
  }

  private static double unit(String letter) {
    return switch (letter.toLowerCase(Locale.ROOT)) {
      case "k" -> 1e3;
      case "m" -> 1e6;
      case "g", "b" -> 1e9;
      case "t" -> 1e12;
      default -> 1;
    };
  }

  /** {@code 0.6} or {@code 60%}: 0 to 1. */
  static double share(String option, String text) {
    String number = text.strip();
    boolean percent = number.endsWith("%");
    try {
      double value =
          Double.parseDouble(percent ? number.substring(0, number.length() - 1) : number);
      double share = percent ? value / 100 : value;
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException(
        "%s '%s' must be a share from 0 to 1, such as 0.01, 1e-4 or 1%%".formatted(option, text));
  }

  /** A share of the records, or a count of keys if it is above 1. */
  static double distinct(String option, String text, double records) {
    boolean share = text.strip().endsWith("%") || isAtMostOne(text);
    double keys = share ? share(option, text) * records : count(option, text);
    if (keys < 1 || keys > records) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s '%s' must be at least one key and at most the %,.0f records",
              option,
              text,
              records));
    }
    return keys;
  }

  private static boolean isAtMostOne(String text) {
    try {
      return Double.parseDouble(text.strip()) <= 1;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
