package dev.unseen.server.command;

import dev.unseen.server.Refused;
import dev.unseen.server.resp.Request;
import java.util.regex.Pattern;

/**
 * Reads arguments as numbers, as strictly as Redis does: Java's own parsers also take {@code +5},
 * {@code 05}, {@code 0.1f} and digits of other scripts.
 */
final class NumberArguments {
  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,18}");
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

  private NumberArguments() {}

  /** Returns an argument as a whole number, or refuses the command with this message. */
  static long integer(Request request, int index, String otherwise) {
    try {
      String text = request.text(index);
      if (INTEGER.matcher(text).matches()) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new Refused(otherwise);
  }

  /** Returns an argument as a whole number. */
  static long integer(Request request, int index) {
    return integer(request, index, "ERR value is not an integer or out of range");
  }

  /** Returns an argument as a number with a fraction, or refuses the command with this message. */
  static double number(Request request, int index, String otherwise) {
    String text = request.text(index);
    if (NUMBER.matcher(text).matches()) {
      return Double.parseDouble(text);
    }
    throw new Refused(otherwise);
  }
}
