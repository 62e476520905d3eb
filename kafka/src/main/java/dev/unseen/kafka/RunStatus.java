package dev.unseen.kafka;

import java.io.PrintWriter;

/** Shows how far a run is, on one line of a terminal that is written over. */
final class RunStatus {
  private static final String ERASE = "\r\033[K";

  private final PrintWriter err;
  private final boolean visible;
  private boolean shown;

  RunStatus(PrintWriter err, boolean wanted) {
    this.err = err;
    // Set by the launcher if stderr is a terminal, which Java 17 cannot find out.
    this.visible = wanted && Boolean.getBoolean("unseen.terminal");
  }

  void show(String text) {
    if (visible) {
      err.print(ERASE + "unseen: " + text);
      err.flush();
      shown = true;
    }
  }

  void clear() {
    if (shown) {
      err.print(ERASE);
      err.flush();
      shown = false;
    }
  }
}
