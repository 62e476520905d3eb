package dev.unseen.cli.state;

import dev.unseen.KeyForm;
import dev.unseen.Report;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardNumbers;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.text.Print;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.TreeMap;

/** Shows a state to people. */
final class InspectText {
  private final StringBuilder text = new StringBuilder();

  private InspectText() {}

  static String of(Path file, long bytes, Snapshot state, Instant now) {
    InspectText page = new InspectText();
    page.write(file, bytes, state, now);
    return page.text.toString();
  }

  private void write(Path file, long bytes, Snapshot state, Instant now) {
    Instant saved = Instant.ofEpochMilli(state.savedAtMillis());
    FilterSpec spec = state.spec();
    Report report = Report.of(state);
    line("file", "%s, %,d bytes, version %d, whole", file, bytes, Snapshot.FORMAT_VERSION);
    line("saved", "%s, %s ago", saved, Print.age(Duration.between(saved, now)));
    line("filter", "%s", spec.describe());
    line("hash", "%s", spec.describeHash());
    if (!state.keyForm().isEmpty()) {
      line("key", "%s", KeyForm.of(state.keyForm()));
    }
    if (state.shards() > 1) {
      line("shards", "%s of %d", ShardNumbers.text(state.heldShards()), state.shards());
    }
    for (Snapshot replaced : state.predecessors()) {
      Instant when = Instant.ofEpochMilli(replaced.savedAtMillis());
      line(
          "replaced",
          "%s, %s ago",
          replaced.spec().describe(),
          Print.age(Duration.between(when, now)));
    }
    report.handover().ifPresent(handover -> line("handover", "%s", handover));
    line("records", "%,d", state.records());
    line("new", "%,d", state.admitted());
    line("duplicates", "%,d", state.records() - state.admitted());
    line("load", "%s", Print.load(state.filter().load(), 3));
    line(
        "estimated FPR",
        "%s%s",
        Print.rate(report.estimatedFpr()),
        state.maxFpr() < 1 ? ", allowed: " + Print.rate(state.maxFpr()) : "");
    if (!spec.window().isNone()) {
      line("coverage", "%s of the window", Print.percent(report.windowCoverage()));
    }
    line("keys held", "%s", Print.count((double) report.estimatedCardinality()));
    if (report.keysThatFit().isPresent()) {
      line("keys that fit", "%s", Print.count((double) report.keysThatFit().getAsLong()));
    }
    if (report.evictedEarly().orElse(0) > 0) {
      line("evicted", "%,d keys", report.evictedEarly().getAsLong());
    }
    if (report.lateTimes() > 0) {
      line("late", "%,d records too late to check", report.lateTimes());
    }
    if (report.rejectedTimes() > 0) {
      line("rejected", "%,d records with a time too far in the future", report.rejectedTimes());
    }
    report
        .audit()
        .ifPresent(
            audit -> {
              line("audit", "1 in %,d keys%s", audit.oneIn(), audit.thinned() ? ", thinned" : "");
              line("measured FPR", "%s", measured(audit.fpr()));
              line("measured FNR", "%s", measured(audit.fnr()));
            });
    new TreeMap<>(state.metadata())
        .forEach((key, value) -> line("text", "%s = %s", Print.plain(key), Print.plain(value)));
  }

  /** Returns {@code 0.12 %, between 0.05 % and 0.31 % (95 %); 4 in 3,120}. */
  private static String measured(MeasuredRate rate) {
    return String.format(
        Locale.ROOT,
        "%s, between %s and %s (95 %%); %,d in %,d",
        Print.rate(rate.rate()),
        Print.rate(rate.low()),
        Print.rate(rate.high()),
        rate.errors(),
        rate.trials());
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  private void line(String name, String format, Object... values) {
    text.append(String.format(Locale.ROOT, "%-15s", name))
        .append(String.format(Locale.ROOT, format, values))
        .append('\n');
  }
}
