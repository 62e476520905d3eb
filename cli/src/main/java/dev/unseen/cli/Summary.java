package dev.unseen.cli;

import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.MeasuredRate;
import dev.unseen.text.Print;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What a run came to, in one line for people or for machines.
 *
 * @param counts of the records of this run
 * @param seconds it took
 * @param report how the gate stands at the end, earlier runs included
 */
record Summary(Counts counts, double seconds, Report report) {
  /** A run has counts of its own. */
  private static final Set<String> COUNTED = Set.of("records", "admitted", "duplicates");

  @Override
  public String toString() {
    String line =
        String.format(
            Locale.ROOT,
            "%,d %s, %,d new, %,d %s in %.2f s (%s); %s, load %s, a new record is lost with chance %s",
            counts.records(),
            counts.records() == 1 ? "record" : "records",
            counts.fresh(),
            counts.duplicates(),
            counts.duplicates() == 1 ? "duplicate" : "duplicates",
            seconds,
            Print.perSecond(counts.records() / Math.max(seconds, 1e-9)),
            report.spec().describe(),
            Print.percent(report.load(), 2),
            Print.digits(report.estimatedFpr(), 2));
    OptionalDouble fnr = report.estimatedFnr();
    if (fnr.isPresent()) {
      line += ", a duplicate gets through with chance " + Print.digits(fnr.getAsDouble(), 2);
    }
    if (report.windowCoverage() < 0.995) {
      line +=
          ", memory covers %s of the window".formatted(Print.percent(report.windowCoverage(), 2));
    }
    Optional<AuditReport> audited = report.audit();
    if (audited.isPresent()) {
      line +=
          String.format(
              Locale.ROOT,
              "; measured on 1 in %,d keys: %s of the new lost, %s of the duplicates let through",
              audited.get().oneIn(),
              inWords(audited.get().fpr()),
              inWords(audited.get().fnr()));
    }
    return line
        + count(counts.withoutKey(), "without a key")
        + count(report.lateTimes(), "with a late time")
        + count(report.rejectedTimes(), "with a time too far in the future");
  }

  private static String count(long records, String what) {
    return records == 0 ? "" : String.format(Locale.ROOT, "; %,d %s", records, what);
  }

  /** Returns it as one JSON object. */
  String json() {
    StringBuilder json =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "{\"records\":%d,\"fresh\":%d,\"duplicates\":%d,\"withoutKey\":%d,\"bytes\":%d,\"seconds\":%.3f,\"kind\":\"%s\",\"hashes\":%d",
                counts.records(),
                counts.fresh(),
                counts.duplicates(),
                counts.withoutKey(),
                counts.bytes(),
                seconds,
                report.spec().kind().id(),
                report.spec().hashes()));
    for (Measure measure : Measure.all()) {
      OptionalDouble value = measure.valueIn(report);
      boolean asked = value.isPresent() || !measure.isOfAudit();
      if (asked && !COUNTED.contains(measure.name())) {
        json.append(",\"").append(measure.jsonName()).append("\":").append(measure.text(report));
      }
    }
    return json.append('}').toString();
  }

  /** {@code 0.01 % (0.004 to 0.03 %)}. */
  private static String inWords(MeasuredRate rate) {
    return "%s (%s to %s)"
        .formatted(
            Print.percent(rate.rate(), 2),
            Print.percent(rate.low(), 2),
            Print.percent(rate.high(), 2));
  }
}
