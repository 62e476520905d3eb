package dev.unseen;

import dev.unseen.hash.Mix;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Looks from time to time whether too many new records are lost, and says so when it begins. */
final class SaturationAlarm {
  private static final int EVERY = 1 << 12;

  private final double maxFpr;
  private final Consumer<? super Report> action;
  private boolean raised;

  SaturationAlarm(double maxFpr, Consumer<? super Report> action) {
    this.maxFpr = maxFpr;
    this.action = action;
  }

  double maxFpr() {
    return maxFpr;
  }

  /** Whether to look after so many records. */
  static boolean isDue(long records) {
    return (records & (EVERY - 1)) == 0;
  }

  /** Whether to look at a hash: many threads have no count in common that would be cheap. */
  static boolean isDueAt(long hash) {
    return (Mix.mix(~hash) & (EVERY - 1)) == 0;
  }

  void check(Supplier<Report> reports) {
    if (maxFpr == 1) {
      return; // nothing is too much
    }
    Report report = reports.get();
    if (turns(report.saturated())) {
      SaturationEvent.tell(report);
      action.accept(report);
    }
  }

  /** Whether it was not so before, and is now. */
  private synchronized boolean turns(boolean saturated) {
    boolean begins = saturated && !raised;
    raised = saturated;
    return begins;
  }
}
