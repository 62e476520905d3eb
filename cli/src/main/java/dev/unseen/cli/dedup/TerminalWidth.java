package dev.unseen.cli.dedup;

import dev.unseen.commands.ConsoleColors;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;

/** Knows how many columns the terminal of stderr has, also after the user has resized it. */
public final class TerminalWidth {
  private static final int USUAL = 80;

  private volatile int columns = USUAL;

  private TerminalWidth() {}

  /** Returns the width of the terminal, which follows each resize. */
  static TerminalWidth followed() {
    TerminalWidth width = new TerminalWidth();
    width.measure();
    Signals.hear("WINCH", width::measure);
    return width;
  }

  /** Returns the number of columns of the terminal; unlimited if stderr is not a terminal. */
  public static int now() {
    if (!Boolean.getBoolean(ConsoleColors.IS_TERMINAL)) {
      return Integer.MAX_VALUE;
    }
    TerminalWidth width = new TerminalWidth();
    width.measure();
    return width.columns();
  }

  /** Returns the present number of columns; 80 if the terminal cannot be asked. */
  int columns() {
    return columns;
  }

  /** Asks stty, because Java 17 cannot ask a terminal. */
  private void measure() {
    try {
      Process stty =
          new ProcessBuilder("sh", "-c", "stty size <&2 2>/dev/null")
              .redirectInput(new File("/dev/null"))
              .redirectError(Redirect.INHERIT)
              .start();
      String[] size =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
              .strip()
              .split(" ", -1);
      int measured = size.length == 2 ? Integer.parseInt(size[1]) : 0;
      columns = measured > 0 ? measured : USUAL; // a terminal that was given no size has 0
    } catch (IOException | NumberFormatException e) {
      columns = USUAL; // stty is missing
    }
  }
}
