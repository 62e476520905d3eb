package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import dev.unseen.server.store.ExpiryGrid;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Reads arguments as numbers, as strictly as Redis does: Java's own parsers also accept {@code +5},
 * {@code 05}, {@code 0.1f} and digits of other scripts.
 */
final class NumberArguments {
  private static final long MIN_EXPIRY = 10;
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

  private NumberArguments() {}

  /** Returns an argument as a whole number, or fails with this message. */
  static long integer(Request request, int index, String otherwise) {
    int length = request.length(index);
    boolean negative = length > 0 && request.at(index, 0) == '-';
    int first = negative ? 1 : 0;
    long negated = 0; // the least number has no positive one
    boolean valid = length > first;
    for (int i = first; valid && i < length; i++) {
      int digit = request.at(index, i) - '0';
      valid =
          digit >= 0
              && digit <= 9
              && (digit > 0 || i > first || length == 1) // neither 05 nor -0
              && negated >= (Long.MIN_VALUE + digit) / 10;
      negated = 10 * negated - digit;
    }
    if (!valid || (!negative && negated == Long.MIN_VALUE)) {
      throw new CommandException(otherwise);
    }
    return negative ? negated : -negated;
  }

  static long integer(Request request, int index) {
    return integer(request, index, "ERR value is not an integer or out of range");
  }

  /** Returns the time after EX, in seconds, or PX, in milliseconds; in milliseconds. */
  static long expiry(Request request, int index) {
    long value = integer(request, index + 1);
    long unit = request.is(index, "EX") ? 1000 : 1;
    if (value > ExpiryGrid.LONGEST / unit || value * unit < MIN_EXPIRY) {
      throw new CommandException(
          "ERR invalid expire time in '%s' command: %s %d must be %d ms to 366 days"
              .formatted(
                  request.text(0).toLowerCase(Locale.ROOT),
                  request.text(index).toUpperCase(Locale.ROOT),
                  value,
                  MIN_EXPIRY));
    }
    return value * unit;
  }

  /** Returns an argument as a number with a fraction, or fails with this message. */
  static double number(Request request, int index, String otherwise) {
    String text = request.text(index);
    if (NUMBER.matcher(text).matches()) {
      return Double.parseDouble(text);
    }
    throw new CommandException(otherwise);
  }
}
