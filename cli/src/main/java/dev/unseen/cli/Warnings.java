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
  private final Set<Reason> told = EnumSet.noneOf(Reason.class);

  Warnings(PrintStream stderr, boolean quiet) {
    this.stderr = stderr;
    this.quiet = quiet;
  }

  @Override
  public void accept(Alarm alarm) {
    if (told.add(alarm.reason())) {
      tell(alarm.message());
    }
  }

  /** Tells this. */
  void tell(String message) {
    if (!quiet) {
      stderr.println("unseen: warning: " + message);
      stderr.flush();
    }
  }

  /** Tells what a report has to warn of, unless it was told before. */
  void tell(Report report) {
    report.alarms().forEach(reason -> accept(new Alarm(reason, report)));
  }
}
