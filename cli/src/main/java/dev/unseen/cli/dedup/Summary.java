package dev.unseen.cli.dedup;

import static java.util.stream.Collectors.joining;

import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.filter.FilterSpec;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Sums up a run in two short lines for people, or in one JSON object for programs. Unusual events
 * take further lines.
 *
 * @param counts of the records of this run
 * @param seconds how long the run took
 * @param report the report of the gate, which counts earlier runs too
 * @param audited whether the user asked for the figures of the audit
 */
record Summary(RunCounts counts, double seconds, Report report, boolean audited) {
  /** The longest line, however wide the terminal is. */
  private static final int COLUMNS = 100;

  private static final String NAME = "unseen: ";
  private static final String INDENT = " ".repeat(NAME.length());

  private static final String NEW = "new record";
  private static final String DUPLICATE = "duplicate";

  /** A smaller load is not worth its digits. */
  private static final double NEARLY_EMPTY = 1e-4;

  private static final Pattern UNIT = Pattern.compile(" (%|s|[KMGT]iB|bytes?)(\\W|$)");

  /** If a rate can be as high as this, the bound is not worth printing. */
  private static final double NO_BOUND = 0.9;

  /** Measures that are left out, because the object has better ones in their place. */
  private static final Set<String> LEFT_OUT =
      Set.of("records", "admitted", "duplicates", "estimated_cardinality");

  /** Returns the lines for people, each of at most 100 columns. */
  @Override
  public String toString() {
    return text(COLUMNS);
  }

  /** Returns the lines for people, for a terminal of this number of columns. */
  String text(int terminal) {
    int columns = Math.min(COLUMNS, terminal);
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s, %,d new, %s in %.2f s (%s)",
            Print.things(counts.records(), "record"),
            counts.fresh,
            Print.things(counts.duplicates, "duplicate"),
            seconds,
            Print.perSecond(counts.records() / Math.max(seconds, 1e-9))));
    Evictions evictions = new Evictions(report);
    pack(filterInWords(evictions), columns, lines);
    if (evictions.areWorthReporting()) {
      pack(evictions.inWords(), columns, lines);
    }
    return lines.stream().map(line -> wrap(NAME + line, columns)).collect(joining("\n"));
  }

  private List<String> filterInWords(Evictions evictions) {
    List<String> words = new ArrayList<>();
    FilterSpec spec = report.spec();
    words.add(
        "%s filter, %s%s, %s"
            .formatted(
                spec.kind().id(),
                spec.window().isNone() ? "" : spec.window() + ", ",
                Print.bytes(spec.memoryBytes()),
                fullness()));
    words.add(
        "drops %s, passes %s"
            .formatted(Print.portion(report.estimatedFpr(), NEW), passedInWords(evictions)));
    if (!spec.window().isNone() && !evictions.areWorthReporting()) {
      words.add(
          evictions.count() == 0
              ? "no key was evicted early"
              : Print.things(evictions.count(), "key") + " evicted early");
    }
    report.handover().ifPresent(words::add);
    if (audited && report.audit().isPresent()) {
      AuditReport audit = report.audit().get();
      words.add(
          String.format(
              Locale.ROOT,
              "measured on 1 in %,d keys: drops %s",
              audit.oneIn(),
              inWords(audit.fpr(), NEW)));
      words.add("passes " + inWords(audit.fnr(), DUPLICATE));
    }
    count(counts.unchecked, "passed unchecked", words);
    count(
        counts.skipped,
        "skipped (%s, %s)"
            .formatted(
                Print.things(counts.skippedLines, "line"),
                Print.things(counts.skippedBytes, "byte")),
        words);
    count(counts.nullKeys, "with a null key", words);
    if (counts.tooLate > 0) {
      words.add(
          "%s too late to check, %s"
              .formatted(
                  Print.things(counts.tooLate, "record"),
                  counts.lateDropped > 0 ? "dropped" : "passed unchecked"));
      words.add(LateRecord.remedy(counts.mostLateMillis, report.spec().window()));
    }
    count(report.rejectedTimes(), "with a time too far in the future", words);
    return words;
  }

  private String fullness() {
    return report.load() < NEARLY_EMPTY
        ? "nearly empty"
        : Print.percent(report.load(), 2) + " full";
  }

  /**
   * Returns the share of duplicates that passed. If keys were evicted, no error seen is not 0: the
   * share can be as high as the number of followed duplicates leaves open.
   */
  private String passedInWords(Evictions evictions) {
    MeasuredRate fnr = report.estimatedFnr();
    if (fnr.rate() > 0 || fnr.high() == 0 || evictions.count() == 0) {
      return Print.portion(fnr.rate(), DUPLICATE);
    }
    if (!fnr.isKnown() && fnr.high() > NO_BOUND) {
      return "an unknown share of duplicates";
    }
    return String.format(
        Locale.ROOT,
        "at most %s (0 of %,d followed)",
        Print.portion(fnr.high(), DUPLICATE),
        fnr.trials());
  }

  private static void count(long records, String what, List<String> words) {
    if (records > 0) {
      words.add(Print.things(records, "record") + " " + what);
    }
  }

  /** Adds clauses to the lines, as many as fit on each line. */
  private static void pack(List<String> words, int columns, List<String> lines) {
    StringBuilder line = new StringBuilder();
    for (String clause : words) {
      boolean fits = NAME.length() + line.length() + 2 + clause.length() <= columns;
      if (!line.isEmpty() && !fits) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : "; ").append(clause);
    }
    lines.add(line.toString());
  }

  /** Breaks a line that is too long at spaces, and indents what follows. */
  private static String wrap(String line, int columns) {
    StringBuilder text = new StringBuilder();
    String rest = line;
    while (rest.length() > columns) {
      int space = rest.lastIndexOf(' ', columns);
      if (space > 0 && UNIT.matcher(rest).region(space, rest.length()).lookingAt()) {
        space = rest.lastIndexOf(' ', space - 1); // a number and its unit stay together
      }
      if (space < INDENT.length()) {
        break; // one long word
      }
      text.append(rest, 0, space).append('\n');
      rest = INDENT + rest.substring(space + 1);
    }
    return text.append(rest).toString();
  }

  String json() {
    StringBuilder json =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "{\"records\":%d,\"fresh\":%d,\"duplicates\":%d,\"withoutKey\":%d,\"nullKeys\":%d,\"skipped\":%d,\"skippedLines\":%d,\"skippedBytes\":%d,\"bytes\":%d,\"seconds\":%.3f,\"kind\":\"%s\",\"hashes\":%d",
                counts.records(),
                counts.fresh,
                counts.duplicates,
                counts.unchecked + counts.skipped,
                counts.nullKeys,
                counts.skipped,
                counts.skippedLines,
                counts.skippedBytes,
                counts.bytes,
                seconds,
                report.spec().kind().id(),
                report.spec().hashes()));
    OptionalLong distinct = new Evictions(report).distinctKeys();
    json.append(",\"distinctKeys\":")
        .append(distinct.isPresent() ? Long.toString(distinct.getAsLong()) : "null")
        .append(",\"keysHeld\":")
        .append(report.estimatedCardinality());
    for (Measure measure : Measure.all()) {
      OptionalDouble value = measure.valueIn(report);
      if ((audited || !measure.isOfAudit())
          && value.isPresent()
          && !LEFT_OUT.contains(measure.name())) {
        json.append(",\"").append(measure.jsonName()).append("\":").append(measure.text(report));
      }
    }
    return json.append('}').toString();
  }

  /** Returns a rate with its interval: {@code 0.2 % of new records (0.1 % to 0.3 %)}. */
  private static String inWords(MeasuredRate rate, String thing) {
    return "%s (%s to %s)"
        .formatted(
            Print.portion(rate.rate(), thing),
            Print.rate(rate.low(), 2),
            Print.rate(rate.high(), 2));
  }
}
