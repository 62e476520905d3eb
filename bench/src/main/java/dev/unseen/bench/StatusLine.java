package dev.unseen.bench;

import java.io.PrintWriter;
import java.util.function.Consumer;

/** One line on a terminal that says what goes on; nothing elsewhere. */
final class StatusLine implements Consumer<String> {
  private final PrintWriter err;
  private final boolean shown = Boolean.getBoolean("bench.terminal"); // Java cannot tell

  StatusLine(PrintWriter err) {
    this.err = err;
  }

  @Override
  public void accept(String what) {
    if (shown) {
      err.print("\r\u001b[K" + what + "...\r");
      err.flush();
    }
  }
}
