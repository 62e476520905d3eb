package dev.unseen.testing;

import java.util.Arrays;

/** Shows drawn values in a report. */
final class Texts {
  private static final int MOST = 500;

  private Texts() {}

  static String of(Object value) {
    String text = value instanceof String string ? quoted(string) : array(value);
    return text.length() <= MOST
        ? text
        : text.substring(0, MOST) + "... (%d characters in all)".formatted(text.length());
  }

  private static String array(Object value) {
    String text = Arrays.deepToString(new Object[] {value});
    return text.substring(1, text.length() - 1);
  }

  /** Returns a text in quotes, as in a program. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        case '"', '\\' -> quoted.append('\\').append(c);
        default -> {
          if (c >= ' ' && c < 0x7F) {
            quoted.append(c);
          } else {
            quoted.append("\\u%04x".formatted((int) c));
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
