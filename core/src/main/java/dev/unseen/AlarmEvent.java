package dev.unseen;

import dev.unseen.audit.AuditReport;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.StackTrace;

/** Shows an alarm in a Java Flight Recorder recording. */
@Name("dev.unseen.Alarm")
@Label("Filter Alarm")
@Category("Unseen")
@Description("A deduplicator begins to be wrong more often than it should")
@StackTrace(false)
final class AlarmEvent extends Event {
  @Label("Reason")
  String reason = "";

  @Label("Message")
  String message = "";

  @Label("Filter")
  String filter = "";

  @Label("Allowed Rate")
  @Percentage
  double maxFpr;

  @Label("Estimated Rate")
  @Percentage
  double estimatedFpr;

  @Label("Measured Rate")
  @Percentage
  double auditedFpr;

  static void emit(Alarm alarm) {
    Report report = alarm.report();
    AlarmEvent event = new AlarmEvent();
    event.reason = alarm.reason().name();
    event.message = alarm.message();
    event.filter = report.spec().describe();
    event.maxFpr = report.alarmFpr();
    event.estimatedFpr = report.estimatedFpr();
    event.auditedFpr = report.audit().map(AuditReport::fpr).map(fpr -> fpr.rate()).orElse(0.0);
    event.commit();
  }
}
