package dev.unseen.cli;

import dev.unseen.audit.AuditReport;
import dev.unseen.audit.MeasuredRate;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.Windowed;
import dev.unseen.text.Print;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a run came to, in one line for people or for machines.
 *
 * @param counts of the records
 * @param seconds it took
 * @param filter how it stands at the end
 * @param audited what was measured, if anything was
 */
record Summary(
    Counts counts, double seconds, DuplicateFilter filter, Optional<AuditReport> audited) {

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
            filter.spec().describe(),
            Print.percent(filter.load(), 2),
            Print.digits(filter.estimatedFpr(), 2));
    OptionalDouble fnr = filter.estimatedFnr();
    if (fnr.isPresent()) {
      line += ", a duplicate gets through with chance " + Print.digits(fnr.getAsDouble(), 2);
    }
    if (filter instanceof Windowed windowed && windowed.coverage() < 0.995) {
      line += ", memory covers %s of the window".formatted(Print.percent(windowed.coverage(), 2));
    }
    if (audited.isPresent()) {
      line +=
          String.format(
              Locale.ROOT,
              "; measured on 1 in %,d keys: %s of the new lost, %s of the duplicates let through",
              audited.get().oneIn(),
              inWords(audited.get().fpr()),
              inWords(audited.get().fnr()));
    }
    if (counts.withoutKey() > 0) {
      line += String.format(Locale.ROOT, "; %,d without a key", counts.withoutKey());
    }
    return line;
  }

  /** The same as one JSON object. */
  String json() {
    OptionalDouble fnr = filter.estimatedFnr();
    return String.format(
        Locale.ROOT,
        "{\"records\":%d,\"fresh\":%d,\"duplicates\":%d,\"withoutKey\":%d,\"bytes\":%d,\"seconds\":%.3f,"
            + "\"kind\":\"%s\",\"hashes\":%d,\"memoryBytes\":%d,\"load\":%s,\"estimatedFpr\":%s,"
            + "\"estimatedFnr\":%s%s}",
        counts.records(),
        counts.fresh(),
        counts.duplicates(),
        counts.withoutKey(),
        counts.bytes(),
        seconds,
        filter.spec().kind().id(),
        filter.spec().hashes(),
        filter.memoryBytes(),
        filter.load(),
        filter.estimatedFpr(),
        fnr.isPresent() ? Double.toString(fnr.getAsDouble()) : "null",
        audited.map(Summary::auditJson).orElse(""));
  }

  private static String auditJson(AuditReport report) {
    return String.format(
        Locale.ROOT,
        ",\"auditedKeysOneIn\":%d,%s,%s",
        report.oneIn(),
        rateJson("auditedFpr", report.fpr()),
        rateJson("auditedFnr", report.fnr()));
  }

  private static String rateJson(String name, MeasuredRate rate) {
    return "\"%1$s\":%2$s,\"%1$sLow\":%3$s,\"%1$sHigh\":%4$s"
        .formatted(name, rate.rate(), rate.low(), rate.high());
  }

  /** {@code 0.01 % (0.004 to 0.03 %)}. */
  private static String inWords(MeasuredRate rate) {
    return "%s (%s to %s)"
        .formatted(
            Print.percent(rate.rate(), 2),
            Print.percent(rate.low(), 2),
            Print.percent(rate.high(), 2));
  }

  /** What the user has to know: more is lost than was allowed. */
  Optional<String> warning() {
    double most = filter.spec().maxFpr();
    return audited
        .filter(report -> report.fpr().low() > most)
        .map(
            report ->
                "more new records are lost than the %s allowed: %s measured"
                    .formatted(Print.percent(most, 2), inWords(report.fpr())));
  }
}
