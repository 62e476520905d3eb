package dev.unseen.server.command;

import dev.unseen.server.Refused;
import dev.unseen.server.resp.Request;

/** Reads arguments as numbers. */
final class NumberArguments {
  private NumberArguments() {}

  /** Returns an argument as a whole number, or refuses the command with this message. */
  static long integer(Request request, int index, String otherwise) {
    try {
      return Long.parseLong(request.text(index));
    } catch (NumberFormatException e) {
      throw new Refused(otherwise);
    }
  }

  /** Returns an argument as a whole number. */
  static long integer(Request request, int index) {
    return integer(request, index, "ERR value is not an integer or out of range");
  }

  /** Returns an argument as a number with a fraction, or refuses the command with this message. */
  static double number(Request request, int index, String otherwise) {
    try {
      double value = Double.parseDouble(request.text(index));
      if (!Double.isNaN(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new Refused(otherwise);
  }
}
