package dev.unseen.cli;

/** Colours on a terminal, unless the user wants none: see {@code https://no-color.org}. */
final class Paint {
  /** Set by the launcher if stderr is a terminal, which Java 17 cannot tell. */
  static final String IS_TERMINAL = "unseen.terminal";

  private static final String RED = "1;31";
  private static final String YELLOW = "1;33";

  private Paint() {}

  /** Returns whether messages may have colours. */
  static boolean isWanted() {
    String none = System.getenv("NO_COLOR");
    return Boolean.getBoolean(IS_TERMINAL)
        && (none == null || none.isEmpty())
        && !"dumb".equals(System.getenv("TERM"));
  }

  /** Returns how a message begins that tells of a failure. */
  static String failure() {
    return colour(RED, "unseen:") + " ";
  }

  /** Returns how a message begins that tells of something to look at. */
  static String warning() {
    return "unseen: " + colour(YELLOW, "warning:") + " ";
  }

  private static String colour(String code, String text) {
    return isWanted() ? "\u001B[" + code + "m" + text + "\u001B[0m" : text;
  }
}
