package dev.unseen.cli.dedup;

import dev.unseen.commands.ConsoleColors;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;

/** Asks how many columns the terminal of stderr has. */
public final class TerminalWidth {
  private static final int USUAL = 80;

  private TerminalWidth() {}

  /** Returns the number of columns of the terminal; unlimited if stderr is not a terminal. */
  public static int now() {
    return Boolean.getBoolean(ConsoleColors.IS_TERMINAL) ? measured() : Integer.MAX_VALUE;
  }

  /** Asks stty, because Java 17 cannot ask a terminal. Returns 80 if it cannot be asked. */
  static int measured() {
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
      return measured > 0 ? measured : USUAL; // a terminal that was given no size has 0
    } catch (IOException | NumberFormatException e) {
      return USUAL; // stty is missing
    }
  }
}
