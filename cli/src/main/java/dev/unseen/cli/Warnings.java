package dev.unseen.cli;

import dev.unseen.Alarm;
import dev.unseen.Alarm.Reason;
import dev.unseen.Report;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** Tells the user on stderr what goes wrong with a filter, each reason once in a run. */
final class Warnings implements Consumer<Alarm> {
  private final PrintStream stderr;
  private final boolean quiet;
  private final boolean audited;
  private final Set<Reason> told = EnumSet.noneOf(Reason.class);

  /**
   * Begins with nothing told.
   *
   * @param audited whether the user has asked for an audit
   */
  Warnings(PrintStream stderr, boolean quiet, boolean audited) {
    this.stderr = stderr;
    this.quiet = quiet;
    this.audited = audited;
  }

  @Override
  public void accept(Alarm alarm) {
    if (isMeant(alarm) && told.add(alarm.reason())) {
      tell(alarm.message());
    }
  }

  /** A small audit that nobody asked for has too few keys to call a filter wrong by itself. */
  private boolean isMeant(Alarm alarm) {
    Report report = alarm.report();
    return alarm.reason() != Reason.FALSE_POSITIVES
        || audited
        || report.estimatedFpr() > report.alarmFpr();
  }

  /** Tells this. */
  void tell(String message) {
    if (!quiet) {
      stderr.println(Paint.warning() + message);
      stderr.flush();
    }
  }

  /** Tells what a report has to warn of, unless it was told before. */
  void tell(Report report) {
    report.alarms().forEach(reason -> accept(new Alarm(reason, report)));
  }
}
