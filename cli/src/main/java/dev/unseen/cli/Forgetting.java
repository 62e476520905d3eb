package dev.unseen.cli;

import dev.unseen.Report;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.MeasuredRate;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Tells what a filter has forgotten, how many duplicates passed, and which filter would hold all
 * keys.
 *
 * @param report of the run
 */
record Forgetting(Report report) {
  /** A smaller share of duplicates that got through is not worth a warning. */
  private static final double WORTH_TELLING = 1e-3;

  /** Fewer followed keys are too few to estimate how many there are. */
  private static final int ENOUGH_KEYS = 30;

  private static final double LEAST_FPR = 1e-9; // that RECENCY can have

  private static final double MOST_FPR = 1e-2;

  /** If no error was seen, fewer than this are expected, with a certainty of 97.5 %. */
  private static final double MOST_WITHOUT_ERROR = 3.7;

  /** Returns whether keys were forgotten that may still be needed. */
  boolean isWorthTelling() {
    MeasuredRate fnr = report.estimatedFnr();
    return report.forgetting() || (fnr.errors() > 0 && fnr.low() > WORTH_TELLING);
  }

  /** Returns the clauses of the message. */
  List<String> inWords() {
    List<String> words = new ArrayList<>();
    OptionalLong distinct = distinctKeys();
    words.add("forgot keys %s times".formatted(Print.count((double) report.forgotten())));
    if (distinct.isPresent()) {
      words.add("about %s distinct keys came".formatted(count((double) distinct.getAsLong())));
    }
    words.add(letThroughInWords());
    if (!report.spec().window().isNone()) {
      words.add(
          "memory covers %s of the window".formatted(Print.percent(report.windowCoverage(), 2)));
    } else if (distinct.isPresent()) {
      waysOut(distinct.getAsLong(), words);
    }
    return words;
  }

  private static String count(double count) {
    return Print.count(Double.parseDouble(String.format(Locale.ROOT, "%.1e", count)));
  }

  /** Returns an estimate of the distinct keys; empty if there is none. */
  private OptionalLong distinctKeys() {
    if (!report.spec().window().isNone()) {
      return OptionalLong.empty();
    }
    long most = Math.max(1, report.admitted());
    return OptionalLong.of(
        report
            .audit()
            .filter(audit -> audit.keys() >= ENOUGH_KEYS)
            .map(audit -> Math.min(most, audit.keys() * audit.oneIn()))
            .orElse(most));
  }

  /**
   * Returns how many duplicates passed. Each followed key stands for those that are not followed.
   */
  private String letThroughInWords() {
    double most = Math.min((double) report.forgotten(), (double) report.admitted());
    if (report.audit().isEmpty()) {
      return "at most %s duplicates passed as new".formatted(count(most));
    }
    AuditReport audit = report.audit().get();
    double errors = audit.fnr().errors();
    double spread = 2 * Math.sqrt(errors);
    double high = Math.min(most, (double) audit.oneIn() * (errors + spread + MOST_WITHOUT_ERROR));
    if (errors == 0) {
      return "at most %s duplicates passed as new".formatted(count(high));
    }
    return "about %s duplicates passed as new (%s to %s)"
        .formatted(
            count((double) audit.oneIn() * errors),
            count((double) audit.oneIn() * Math.max(1, errors - spread)),
            count(high));
  }

  private void waysOut(long keys, List<String> words) {
    FilterSpec spec = report.spec();
    FilterKind kind = spec.kind() == FilterKind.BLOOM ? FilterKind.BLOOM : FilterKind.RECENCY;
    double asked = report.maxFpr() < 1 ? report.maxFpr() : FilterSpec.DEFAULT_MAX_FPR;
    double maxFpr = Math.max(LEAST_FPR, Math.min(MOST_FPR, asked));
    long bytes = FilterSpec.memoryFor(kind, keys + keys / 20, maxFpr, spec.window());
    if (kind == spec.kind()) {
      words.add("-m %s would hold all keys".formatted(Print.size(rounded(bytes))));
    } else {
      words.add(
          "--kind %s -m %s would hold all keys".formatted(kind.id(), Print.size(rounded(bytes))));
    }
    if (spec.kind() != FilterKind.BLOOM) {
      FilterSpec bloom =
          FilterSpec.builder(FilterKind.BLOOM, spec.memoryBytes()).expectedKeys(keys).build();
      double bits = (double) bloom.memoryBytes() * Byte.SIZE;
      double lost = Math.pow(-Math.expm1(-bloom.hashes() * (double) keys / bits), bloom.hashes());
      words.add(
          "--kind bloom would let no duplicate through, but drop %s of new records at the end"
              .formatted(Print.percent(lost, 2)));
    }
  }

  /** Returns the next size that people write: 8, 10, 12, 14, 16, 20 ... of a unit. */
  private static long rounded(long bytes) {
    long quarter = Math.max(1 << 10, Long.highestOneBit(bytes) / 4);
    return (bytes + quarter - 1) / quarter * quarter;
  }
}
