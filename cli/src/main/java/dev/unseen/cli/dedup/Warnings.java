package dev.unseen.cli.dedup;

import dev.unseen.Alarm;
import dev.unseen.Alarm.Reason;
import dev.unseen.Report;
import dev.unseen.commands.ConsoleColors;
import dev.unseen.commands.GateArguments;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** Prints on stderr what goes wrong with a filter, each reason once in a run. */
final class Warnings implements Consumer<Alarm> {
  private final PrintStream stderr;
  private final Progress progress;
  private final boolean quiet;
  private final boolean audited;
  private final Set<Reason> printed = EnumSet.noneOf(Reason.class);

  /**
   * Creates warnings of which none is printed yet.
   *
   * @param audited whether the user has asked for an audit
   */
  Warnings(PrintStream stderr, Progress progress, boolean quiet, boolean audited) {
    this.stderr = stderr;
    this.progress = progress;
    this.quiet = quiet;
    this.audited = audited;
  }

  @Override
  public void accept(Alarm alarm) {
    if (isMeant(alarm) && printed.add(alarm.reason())) {
      print(alarm.message(GateArguments::name));
    }
  }

  /** Returns whether to print an alarm: a small audit has too few keys to prove a filter wrong. */
  private boolean isMeant(Alarm alarm) {
    Report report = alarm.report();
    return alarm.reason() != Reason.FALSE_POSITIVES
        || audited
        || report.estimatedFpr() > report.alarmFpr();
  }

  void print(String message) {
    if (!quiet) {
      progress.clear();
      stderr.println(ConsoleColors.warning() + message);
      stderr.flush();
    }
  }

  /** Prints the warnings of a report that were not printed before. */
  void print(Report report) {
    report.alarms().forEach(reason -> accept(new Alarm(reason, report)));
  }
}
