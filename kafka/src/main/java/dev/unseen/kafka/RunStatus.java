package dev.unseen.kafka;

import java.io.PrintWriter;

/** Shows how far a run is: on one line of a terminal that is written over, or in lines. */
final class RunStatus {
  /** Set by the launcher if stderr is a terminal, which Java 17 cannot find out. */
  private static final String IS_TERMINAL = "unseen.terminal";

  private static final String ERASE = "\r\033[K";

  private final PrintWriter err;
  private final boolean wanted;
  private final boolean terminal = Boolean.getBoolean(IS_TERMINAL);
  private boolean shown;

  private RunStatus(PrintWriter err, boolean wanted) {
    this.err = err;
    this.wanted = wanted;
  }

  /** Shows it on a terminal, or nowhere. */
  static RunStatus onTerminal(PrintWriter err) {
    return new RunStatus(err, Boolean.getBoolean(IS_TERMINAL));
  }

  /** Shows it on a terminal, or in a line each time. */
  static RunStatus lines(PrintWriter err) {
    return new RunStatus(err, true);
  }

  /** Shows nothing. */
  static RunStatus none(PrintWriter err) {
    return new RunStatus(err, false);
  }

  void show(String text) {
    if (wanted && terminal) {
      err.print(ERASE + "unseen: " + text);
      shown = true;
    } else if (wanted) {
      err.println("unseen: " + text);
    }
    err.flush();
  }

  void clear() {
    if (shown) {
      err.print(ERASE);
      err.flush();
      shown = false;
    }
  }
}
