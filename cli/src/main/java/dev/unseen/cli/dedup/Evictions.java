package dev.unseen.cli.dedup;

import dev.unseen.Report;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.Capacity;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Describes how many keys a filter has evicted to make room, how many duplicates passed because of
 * that, and which memory would have been enough. Keys whose window has ended expire, which is not
 * an eviction.
 *
 * @param report of the run
 */
record Evictions(Report report) {
  /** A smaller share of duplicates that got through is not worth reporting. */
  private static final double WORTH_REPORTING = 1e-3;

  /** Fewer followed keys are too few to estimate how many there are. */
  private static final int ENOUGH_KEYS = 30;

  /** A filter that drops more new records than this is not worth recommending. */
  private static final double TOO_MANY = 0.5;

  /** With this number of standard errors added, an estimate is too low once in a thousand times. */
  private static final int STANDARD_ERRORS = 3;

  /** If no error was seen, fewer than this are expected, with a certainty of 97.5 %. */
  private static final double MOST_WITHOUT_ERROR = 3.7;

  /**
   * Returns the number of keys that were evicted, with a window only those evicted before it ended.
   * If the filter does not count them, they are estimated from the keys that it holds.
   */
  long count() {
    long missing = Math.max(0, report.admitted() - report.estimatedCardinality());
    return report.evictedEarly().orElse(missing);
  }

  /** Returns whether enough keys were evicted to be reported in detail. */
  boolean areWorthReporting() {
    MeasuredRate fnr = report.estimatedFnr();
    boolean many = report.forgetting() || (fnr.errors() > 0 && fnr.low() > WORTH_REPORTING);
    return count() > 0 && many;
  }

  /** Returns the clauses of the message. */
  List<String> inWords() {
    List<String> words = new ArrayList<>();
    OptionalLong distinct = distinctKeys();
    boolean hasWindow = !report.spec().window().isNone();
    words.add(
        "evicted %s keys %s"
            .formatted(Print.count((double) count()), hasWindow ? "early" : "to make room"));
    if (distinct.isPresent()) {
      words.add("about %s distinct keys came".formatted(count((double) distinct.getAsLong())));
    }
    words.add(letThroughInWords());
    if (hasWindow) {
      words.add(
          "memory covers %s of the window".formatted(Print.percent(report.windowCoverage(), 2)));
    } else if (distinct.isPresent()) {
      remedies(distinct.getAsLong(), words);
    }
    return words;
  }

  private static String count(double count) {
    return Print.count(Double.parseDouble(String.format(Locale.ROOT, "%.1e", count)));
  }

  /** Returns an estimate of the number of distinct keys that came; empty if there is none. */
  OptionalLong distinctKeys() {
    if (!report.spec().window().isNone()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(keysFollowed().map(audit -> keys(audit, 0)).orElse(report.admitted()));
  }

  /** Returns the audit if it is needed to count the keys, and follows enough of them. */
  private Optional<AuditReport> keysFollowed() {
    return report.audit().filter(audit -> count() > 0 && audit.keys() >= ENOUGH_KEYS);
  }

  /**
   * Returns the number of distinct keys that the followed keys stand for. Each key was let through
   * once at least.
   *
   * @param errors how many standard errors to add
   */
  private long keys(AuditReport audit, int errors) {
    double followed = audit.keys() + errors * Math.sqrt((double) audit.keys());
    return Math.min(report.admitted(), Math.round(followed * audit.oneIn()));
  }

  /**
   * Returns how many duplicates passed. Each followed key stands for those that are not followed.
   */
  private String letThroughInWords() {
    double most = (double) Math.min(count(), report.admitted());
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

  /** Adds the memory that would have been enough, and what a filter that never evicts would do. */
  private void remedies(long keys, List<String> words) {
    FilterSpec spec = report.spec();
    FilterKind kind = FilterKind.RECENCY; // the only kind that evicts and can hold a number of keys
    double asked = report.maxFpr() < 1 ? report.maxFpr() : FilterSpec.DEFAULT_MAX_FPR;
    double maxFpr = Math.max(FilterSpec.MIN_MAX_FPR, Math.min(FilterSpec.MAX_MAX_FPR, asked));
    long most = keysFollowed().map(audit -> keys(audit, STANDARD_ERRORS)).orElse(keys);
    long bytes = rounded(Capacity.memoryFor(kind, Math.max(1, most), maxFpr, spec.window(), 1));
    words.add(
        "%s-m %s would evict at most 1 key in 20,000"
            .formatted(
                kind == spec.kind() ? "" : "--kind %s ".formatted(kind.id()), Print.size(bytes)));
    FilterSpec bloom =
        FilterSpec.builder(FilterKind.BLOOM, spec.memoryBytes())
            .expectedKeys(Math.max(1, keys))
            .build();
    double bits = (double) bloom.memoryBytes() * Byte.SIZE;
    double lost = Math.pow(-Math.expm1(-bloom.hashes() * (double) keys / bits), bloom.hashes());
    if (lost <= TOO_MANY) {
      words.add(
          "--kind bloom would let no duplicate through, but drop %s at the end"
              .formatted(Print.portion(lost, "new record")));
    }
  }

  /** Returns the next size that people write: 8, 10, 12, 14, 16, 20 ... of a unit. */
  private static long rounded(long bytes) {
    long quarter = Math.max(1 << 10, Long.highestOneBit(bytes) / 4);
    return (bytes + quarter - 1) / quarter * quarter;
  }
}
