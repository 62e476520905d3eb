package dev.unseen;

import dev.unseen.audit.AuditReport;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.StackTrace;

/** In a Java flight recording: more new records are lost than was allowed. */
@Name("dev.unseen.Saturation")
@Label("Filter Saturated")
@Category("Unseen")
@Description("More new records are lost than was allowed")
@StackTrace(false)
final class SaturationEvent extends Event {
  @Label("Filter")
  String filter;

  @Label("Allowed Rate")
  @Percentage
  double maxFpr;

  @Label("Estimated Rate")
  @Percentage
  double estimatedFpr;

  @Label("Measured Rate")
  @Percentage
  double auditedFpr;

  static void tell(Report report) {
    SaturationEvent event = new SaturationEvent();
    event.filter = report.spec().describe();
    event.maxFpr = report.maxFpr();
    event.estimatedFpr = report.estimatedFpr();
    event.auditedFpr = report.audit().map(AuditReport::fpr).map(fpr -> fpr.rate()).orElse(0.0);
    event.commit();
  }
}
