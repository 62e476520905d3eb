package dev.unseen.bench;

import java.io.PrintWriter;
import java.util.function.Consumer;

/** Shows the progress in one line on a terminal, and nothing elsewhere. */
final class StatusLine implements Consumer<String> {
  private final PrintWriter err;
  private final boolean shown =
      Boolean.getBoolean("bench.terminal"); // set by the launcher, because Java 17 cannot find out

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
