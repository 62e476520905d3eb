package dev.unseen.commands;

/** Colors messages on a terminal, unless the user wants none: see {@code https://no-color.org}. */
public final class ConsoleColors {
  /** Set by the launcher if stderr is a terminal, which Java 17 cannot find out. */
  public static final String IS_TERMINAL = "unseen.terminal";

  private static final String RED = "1;31";
  private static final String YELLOW = "1;33";

  private ConsoleColors() {}

  /** Returns whether messages may have colors. */
  public static boolean isWanted() {
    String none = System.getenv("NO_COLOR");
    return Boolean.getBoolean(IS_TERMINAL)
        && (none == null || none.isEmpty())
        && !"dumb".equals(System.getenv("TERM"));
  }

  /** Returns the start of a message about a failure. */
  public static String failure() {
    return color(RED, "unseen:") + " ";
  }

  /** Returns the start of a warning. */
  public static String warning() {
    return "unseen: " + color(YELLOW, "warning:") + " ";
  }

  private static String color(String code, String text) {
    return isWanted() ? "\u001B[" + code + "m" + text + "\u001B[0m" : text;
  }
}
