package dev.unseen.audit.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.audit.AuditSpec;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class AuditTest {
  /** Runs of the coverage test. */
  private static final int RUNS = 400;

  /** What an audit should find, from the whole stream. */
  private static final class Truth {
    final Set<Long> seen = new HashSet<>();
    long news;
    long lost;
    long repeats;
    long through;

    void observe(long hash, boolean fresh) {
      if (seen.add(hash)) {
        news++;
        lost += fresh ? 0 : 1;
      } else {
        repeats++;
        through += fresh ? 1 : 0;
      }
    }

    AuditReport report(Audit audit) {
      return audit.report(news + repeats, news - lost + through);
    }

    double fpr() {
      return (double) lost / news;
    }

    double fnr() {
      return (double) through / repeats;
    }
  }

  /** Keys of all sorts: half of the records are of keys that come a few times, half of popular. */
  private static long key(SplitMix64 random) {
    boolean popular = random.chance(1, 2);
    double u = random.below(1 << 20) / (double) (1 << 20);
    return popular ? (long) (2_000 * u * u) : 10_000 + random.below(20_000);
  }

  @Test
  void one_in_one_is_the_exact_truth() {
    FilterSpec spec = FilterSpec.of(FilterKind.RLBSBF, 6_000);
    DuplicateFilter filter = Filters.create(spec);
    Audit audit = new Audit(AuditSpec.oneIn(1), spec);
    Truth truth = new Truth();
    SplitMix64 random = new SplitMix64(1);
    for (int i = 0; i < 50_000; i++) {
      long hash = new SplitMix64(key(random)).next();
      boolean fresh = filter.admit(hash);
      audit.observe(hash, fresh);
      truth.observe(hash, fresh);
    }
    AuditReport report = truth.report(audit);
    assertThat(report.fpr().rate()).isEqualTo(truth.fpr());
    assertThat(report.fnr().rate()).isCloseTo(truth.fnr(), within(1e-12));
    assertThat(audit.report().fnr().rate()).isEqualTo(truth.fnr());
    assertThat(audit.records()).isEqualTo(truth.news + truth.repeats);
    assertThat(report.thinned()).isFalse();
    assertThat(report.keys()).isEqualTo(truth.news);
    assertThat(report.fpr().trials()).isEqualTo(truth.news);
    assertThat(report.fpr().errors()).isEqualTo(truth.lost).isPositive();
    assertThat(report.fnr().trials()).isEqualTo(truth.repeats);
    assertThat(report.fnr().errors()).isEqualTo(truth.through).isPositive();
  }

  /**
   * The interval covers the stream's own rate in 95 % of the runs. Each run is another stream and
   * another filter. With 400 runs, a coverage of 95 % gives 92.0 to 97.7 % but for 1 in 100 tests
   * with other seeds; too wide intervals are asked for as well as too narrow ones. Errors are
   * clustered: popular keys come hundreds of times.
   */
  @Test
  void the_interval_covers_the_truth_in_95_of_100_streams() {
    int fprCovered = 0;
    int fnrCovered = 0;
    double fprBias = 0;
    double fnrBias = 0;
    for (int run = 0; run < RUNS; run++) {
      FilterSpec spec = FilterSpec.builder(FilterKind.RLBSBF, 4_000).seed(run).build();
      DuplicateFilter filter = Filters.create(spec);
      Audit audit = new Audit(AuditSpec.oneIn(16), spec);
      Truth truth = new Truth();
      SplitMix64 random = new SplitMix64(1000 + run);
      for (int i = 0; i < 30_000; i++) {
        long hash = new SplitMix64(key(random) * RUNS + run).next();
        boolean fresh = filter.admit(hash);
        audit.observe(hash, fresh);
        truth.observe(hash, fresh);
      }
      AuditReport report = truth.report(audit);
      fprCovered += covers(report.fpr(), truth.fpr());
      fnrCovered += covers(report.fnr(), truth.fnr());
      fprBias += (report.fpr().rate() / truth.fpr() - 1) / RUNS;
      fnrBias += (report.fnr().rate() / truth.fnr() - 1) / RUNS;
    }
    assertThat((double) fprCovered / RUNS).as("FPR").isBetween(0.92, 0.98);
    assertThat((double) fnrCovered / RUNS).as("FNR").isBetween(0.92, 0.98);
    assertThat(fprBias).as("bias of FPR").isBetween(-0.02, 0.02);
    assertThat(fnrBias).as("bias of FNR").isBetween(-0.02, 0.02);
  }

  private static int covers(MeasuredRate rate, double truth) {
    assertThat(rate.low()).isLessThanOrEqualTo(rate.rate());
    assertThat(rate.high()).isGreaterThanOrEqualTo(rate.rate());
    return rate.low() <= truth && truth <= rate.high() ? 1 : 0;
  }

  /** Without an error seen, the rate is not known to be zero. */
  @Test
  void no_error_in_few_trials_leaves_much_open() {
    FilterSpec spec = FilterSpec.of(FilterKind.BLOOM, 1 << 20);
    Audit audit = new Audit(AuditSpec.oneIn(1), spec);
    assertThat(audit.report().fpr()).isEqualTo(new MeasuredRate(0, 0, 1, 0, 0));
    for (int i = 1; i <= 100; i++) {
      audit.observe(i, true);
    }
    MeasuredRate fpr = audit.report().fpr();
    assertThat(fpr.rate()).isZero();
    assertThat(fpr.low()).isZero();
    assertThat(fpr.high()).isBetween(0.03, 0.045);
    for (int i = 0; i < 10_000; i++) {
      audit.observe(1, false); // one key, however often it comes, says little about the others
    }
    assertThat(audit.report().fnr().high()).isGreaterThan(0.5);
    assertThat(audit.report(10_100, 100).fnr().high())
        .as("100 of 100 keys and no more were let through, so hardly a duplicate was")
        .isLessThan(0.01);
  }

  /** One key in 1,024 is followed, and the one that makes up the stream is not among them. */
  @Test
  void errors_of_a_key_that_is_not_followed_show_in_what_was_let_through() {
    FilterSpec spec = FilterSpec.of(FilterKind.SAMPLED, 1 << 20);
    Audit audit = new Audit(AuditSpec.oneIn(1024), spec);
    SplitMix64 random = new SplitMix64(5);
    for (int i = 0; i < 100_000; i++) {
      long hash = random.next();
      audit.observe(hash, true);
      audit.observe(hash, false);
    }
    long popular = 3;
    assertThat(audit.follows(popular)).isFalse();
    for (int i = 0; i < 1_000_000; i++) {
      audit.observe(popular, true);
    }
    MeasuredRate fnr = audit.report(1_200_000, 1_100_000).fnr();
    double truth = 999_999 / 1_099_999.0;
    assertThat(fnr.errors()).isZero();
    assertThat(fnr.rate()).isCloseTo(truth, within(0.03));
    assertThat(truth).isBetween(fnr.low(), fnr.high());
  }

  @Test
  void rejects_totals_that_cannot_be() {
    Audit audit = new Audit(AuditSpec.oneIn(4), FilterSpec.of(FilterKind.BLOOM, 1000));
    assertThatThrownBy(() -> audit.report(1_000, 1_001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("admitted (1,001) must be 0 to the records (1,000)");
    assertThat(audit.report(0, 0).fnr()).isEqualTo(new MeasuredRate(0, 0, 1, 0, 0));
    assertThat(audit.report(10, 4).fnr()).isEqualTo(new MeasuredRate(0, 0, 1, 0, 0));
  }

  /** The memory is a tenth of what all the keys would need. */
  @Test
  void thins_itself_out_when_memory_is_full_and_stays_fair() {
    double ratio = 0;
    int runs = 40;
    for (int run = 0; run < runs; run++) {
      FilterSpec spec = FilterSpec.builder(FilterKind.BSBF, 4_000).seed(run).build();
      DuplicateFilter filter = Filters.create(spec);
      Audit audit = new Audit(AuditSpec.oneIn(1).memory(64_000), spec);
      Truth truth = new Truth();
      SplitMix64 random = new SplitMix64(run);
      for (int i = 0; i < 50_000; i++) {
        long hash = new SplitMix64(key(random) * 40 + run).next();
        boolean fresh = filter.admit(hash);
        audit.observe(hash, fresh);
        truth.observe(hash, fresh);
      }
      AuditReport report = truth.report(audit);
      assertThat(report.thinned()).isTrue();
      assertThat(report.oneIn()).isIn(8L, 16L, 32L);
      assertThat(report.keys()).isLessThanOrEqualTo(1500);
      assertThat(audit.memoryBytes()).isLessThanOrEqualTo(64_000);
      ratio += report.fpr().rate() / truth.fpr() / runs;
    }
    assertThat(ratio).isBetween(0.96, 1.04);
  }

  /** An exact filter with a window makes no errors by the audit's count, whatever its slack. */
  @ParameterizedTest
  @EnumSource
  void forgets_with_the_window(Refresh refresh) {
    for (Window window :
        new Window[] {Window.records(2_000), Window.time(Duration.ofSeconds(20))}) {
      FilterSpec spec =
          FilterSpec.builder(FilterKind.RECENCY, 1 << 20)
              .window(window)
              .refresh(refresh)
              .maxFpr(1e-9)
              .build();
      DuplicateFilter filter = Filters.create(spec);
      Audit audit = new Audit(AuditSpec.oneIn(2).memory(128 << 10), spec);
      SplitMix64 random = new SplitMix64(9);
      Map<Long, Integer> times = new HashMap<>();
      for (int i = 0; i < 100_000; i++) {
        long key = random.chance(1, 2) ? random.below(500) : random.below(50_000);
        times.merge(key, 1, Integer::sum);
        long hash = new SplitMix64(key).next();
        filter.advanceTo(i * 10L);
        audit.advanceTo(i * 10L);
        audit.observe(hash, filter.admit(hash));
      }
      AuditReport report = audit.report();
      assertThat(report.fpr().errors()).as("%s %s", window, refresh).isZero();
      assertThat(report.fnr().errors()).as("%s %s", window, refresh).isZero();
      assertThat(report.fpr().trials())
          .as("keys are new again when their window has passed")
          .isGreaterThan(times.size() * 6L / 10);
      assertThat(report.fnr().trials()).isGreaterThan(5_000);
      assertThat(report.thinned()).as("what has passed is dropped").isFalse();
    }
  }

  @Test
  void a_share_is_read_as_people_write_it() {
    assertThat(AuditSpec.parse("1/1024")).isEqualTo(AuditSpec.oneIn(1024));
    assertThat(AuditSpec.parse(" 1 / 3 ")).isEqualTo(AuditSpec.oneIn(3));
    for (String wrong : new String[] {"", "2/3", "1/x", "0.1", "1/2/3", "1/0"}) {
      assertThatThrownBy(() -> AuditSpec.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + wrong + "'")
          .hasMessageContaining("1/1024");
    }
    assertThatThrownBy(() -> AuditSpec.oneIn(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("audit (1/0) must be one in 1 to");
  }
}
