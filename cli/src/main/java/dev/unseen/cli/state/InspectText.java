package dev.unseen.cli.state;

import dev.unseen.cli.Numbers;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.ShardedFilter;
import dev.unseen.filter.Windowed;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.TreeMap;

/** A state as people read it. */
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
    line("file", "%s, %,d bytes, version %d, whole", file, bytes, SnapshotFormat.VERSION);
    line("saved", "%s, %s ago", saved, Words.age(Duration.between(saved, now)));
    line("filter", "%s", spec.describe());
    line("hash", "%s%s", spec.hash().id(), seed(spec));
    if (state.shards() > 1) {
      line("shards", "%d", state.shards());
    }
    line("records", "%,d", state.records());
    line("new", "%,d", state.admitted());
    line("duplicates", "%,d", state.records() - state.admitted());
    line("load", "%s", Numbers.percent(state.filter().load()));
    line(
        "estimated FPR",
        "%s%s",
        Numbers.percent(state.filter().estimatedFpr()),
        state.maxFpr() < 1 ? ", allowed: " + Numbers.percent(state.maxFpr()) : "");
    if (!spec.window().isNone()) {
      line("coverage", "%s of the window", Numbers.percent(coverage(state)));
    }
    state
        .auditReport()
        .ifPresent(
            report -> {
              line("audit", "1 in %,d keys%s", report.oneIn(), report.thinned() ? ", thinned" : "");
              line("measured FPR", "%s", Words.measured(report.fpr()));
              line("measured FNR", "%s", Words.measured(report.fnr()));
            });
    new TreeMap<>(state.metadata()).forEach((key, value) -> line("text", "%s = %s", key, value));
  }

  private static String seed(FilterSpec spec) {
    return spec.hash().isKeyed() ? ", with a secret seed" : ", seed " + spec.seed();
  }

  static double coverage(Snapshot state) {
    if (state.filter() instanceof ShardedFilter sharded) {
      return sharded.coverage();
    }
    return state.filter() instanceof Windowed windowed ? windowed.coverage() : 1;
  }

  private void line(String name, String format, Object... values) {
    text.append(String.format(Locale.ROOT, "%-15s", name))
        .append(String.format(Locale.ROOT, format, values))
        .append('\n');
  }
}
