package dev.unseen;

import dev.unseen.text.Print;
import java.util.Locale;

/**
 * Something that the user of a deduplicator has to know: it begins to be wrong more often than it
 * should. Raised once each time that it begins.
 *
 * @param reason what began
 * @param report how the deduplicator stands
 */
public record Alarm(Reason reason, Report report) {
  /** What an alarm tells. */
  public enum Reason {
    /** More new records are lost than allowed, by the estimate or by the audit. */
    FALSE_POSITIVES,
    /** Keys are forgotten that the filter was asked to keep, so duplicates may get through. */
    FORGETTING,
    /** Records come with times too far in the future, which are not believed. */
    REJECTED_TIMES
  }

  /** Tells what began, in one sentence with numbers. */
  public String message() {
    return switch (reason) {
      case FALSE_POSITIVES ->
          String.format(
              Locale.ROOT,
              "%s loses more than %s of the new records: %s by its load%s; it needs more memory",
              report.spec().describe(),
              Print.percent(report.alarmFpr()),
              Print.percent(report.estimatedFpr()),
              report
                  .audit()
                  .map(a -> ", " + Print.percent(a.fpr().rate()) + " measured")
                  .orElse(""));
      case FORGETTING ->
          report.spec().window().isNone()
              ? String.format(
                  Locale.ROOT,
                  "%s is full after %,d new records and forgets keys from now on; their duplicates get through. More memory keeps more",
                  report.spec().describe(),
                  report.admitted())
              : String.format(
                  Locale.ROOT,
                  "%s keeps its keys for %s of the window only; later duplicates get through. More memory, or a shorter window, would do",
                  report.spec().describe(),
                  Print.percent(report.windowCoverage()));
      case REJECTED_TIMES ->
          String.format(
              Locale.ROOT,
              "%,d of %,d records had a time too far in the future; they count as seen at the latest time before",
              report.rejectedTimes(),
              report.records());
    };
  }
}
