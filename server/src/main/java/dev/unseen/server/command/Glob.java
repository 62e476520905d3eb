package dev.unseen.server.command;

/**
 * A pattern as KEYS and CONFIG GET know it: {@code *} any text, {@code ?} any character, {@code
 * [a-c]} and {@code [^a-c]} some characters, and a backslash before a character that means itself.
 * The time is bounded by the product of both lengths, whatever the pattern.
 */
final class Glob {
  private static final int MAX_LENGTH = 1024;

  private final String pattern;

  Glob(String pattern) {
    if (pattern.length() > MAX_LENGTH) {
      throw new CommandException(
          "ERR a pattern of %d bytes is too long; use at most %d, no name is longer"
              .formatted(pattern.length(), MAX_LENGTH));
    }
    this.pattern = pattern;
  }

  boolean matches(String text) {
    int p = 0;
    int t = 0;
    int star = -1; // after the last star
    int starText = 0; // what the star ends before
    while (t < text.length()) {
      int next = p < pattern.length() && pattern.charAt(p) != '*' ? one(p, text.charAt(t)) : -1;
      if (next >= 0) {
        p = next;
        t++;
      } else if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = ++p;
        starText = t;
      } else if (star >= 0) {
        p = star;
        t = ++starText;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  /** Returns the index after the part that matches a character, or -1 if it does not match. */
  private int one(int p, char c) {
    switch (pattern.charAt(p)) {
      case '?' -> {
        return p + 1;
      }
      case '\\' -> {
        int at = p + 1 < pattern.length() ? p + 1 : p;
        return pattern.charAt(at) == c ? at + 1 : -1;
      }
      case '[' -> {
        return some(p + 1, c);
      }
      default -> {
        return pattern.charAt(p) == c ? p + 1 : -1;
      }
    }
  }

  private int some(int from, char c) {
    int p = from;
    boolean not = p < pattern.length() && pattern.charAt(p) == '^';
    p += not ? 1 : 0;
    boolean found = false;
    while (p < pattern.length() && pattern.charAt(p) != ']') {
      if (pattern.charAt(p) == '\\' && p + 1 < pattern.length()) {
        p++;
      }
      char low = pattern.charAt(p++);
      char high = low;
      if (p + 1 < pattern.length() && pattern.charAt(p) == '-' && pattern.charAt(p + 1) != ']') {
        high = pattern.charAt(p + 1);
        p += 2;
      }
      found |= c >= Math.min(low, high) && c <= Math.max(low, high);
    }
    return found != not ? Math.min(pattern.length(), p + 1) : -1;
  }
}
