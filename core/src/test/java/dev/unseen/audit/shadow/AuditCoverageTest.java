package dev.unseen.audit.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.audit.AuditSpec;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.Filters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether 95 of 100 intervals hold the truth. One run of a filter is watched by 600 audits, each of
 * which follows other keys, since it is shown the hashes mixed with another number. Given the run,
 * the audits are independent, and 600 of them with a coverage of 95 % hold the truth in 92.7 to
 * 97.3 % but for 1 in 100 tests with other seeds. {@code ./unseen lab audit} does the same with
 * more streams, filters and audits.
 */
final class AuditCoverageTest {
  private static final int AUDITS = 600;
  private static final int RECORDS = 100_000;
  private static final int UNIVERSE = 50_000;
  private static final int FOLLOWED = 400;
  private static final long ODD = 0xBF58476D1CE4E5B9L;

  /** What 600 audits say of one run, and the truth, which is what an audit of all keys says. */
  private record Watched(AuditReport truth, List<AuditReport> reports) {
    void assertHolds(String what, Function<AuditReport, MeasuredRate> which, double bias) {
      assertHolds(what, which, bias, 0.973);
    }

    void assertHolds(
        String what, Function<AuditReport, MeasuredRate> which, double bias, double most) {
      double rate = which.apply(truth).rate();
      List<MeasuredRate> rates = reports.stream().map(which).toList();
      assertThat(rates.stream().mapToLong(MeasuredRate::errors).average().orElseThrow())
          .as("%s: errors in a sample, of which there must be some", what)
          .isGreaterThan(8);
      double held =
          rates.stream().filter(r -> r.low() <= rate && rate <= r.high()).count() / (double) AUDITS;
      double mean = rates.stream().mapToDouble(MeasuredRate::rate).average().orElseThrow();
      assertThat(held).as("%s: share of intervals that hold %s", what, rate).isBetween(0.927, most);
      assertThat(mean / rate).as("%s: mean to truth %s", what, rate).isBetween(1 - bias, 1 + bias);
    }
  }

  private static Watched watch(FilterSpec spec, long[] keys, AuditSpec share) {
    long[] hashes = LongStream.of(keys).map(Mix::mix).toArray();
    long[] fresh = new long[hashes.length / Long.SIZE + 1];
    long admitted = Filters.create(spec).admitAll(hashes, 0, hashes.length, fresh);
    Audit exact = new Audit(AuditSpec.oneIn(1).memory(8 << 20), spec);
    exact.observeAll(hashes, 0, hashes.length, fresh);
    AuditReport truth = exact.report(hashes.length, admitted);
    assertThat(truth.thinned()).isFalse();
    List<AuditReport> reports = new ArrayList<>();
    long[] others = new long[hashes.length];
    for (int i = 0; i < AUDITS; i++) {
      for (int j = 0; j < others.length; j++) {
        long mixed = (hashes[j] + i * Mix.GOLDEN) * ODD;
        others[j] = mixed ^ (mixed >>> 32);
      }
      Audit audit = new Audit(share, spec);
      audit.observeAll(others, 0, others.length, fresh);
      reports.add(audit.report(hashes.length, admitted));
    }
    return new Watched(truth, reports);
  }

  /** With memory for each distinct key, and an audit of some 400 keys. */
  private static Watched watch(FilterKind kind, double bitsPerKey, long[] keys) {
    long distinct = LongStream.of(keys).distinct().count();
    FilterSpec spec = FilterSpec.of(kind, (long) (distinct * bitsPerKey / Byte.SIZE));
    return watch(spec, keys, AuditSpec.oneIn(distinct / FOLLOWED).memory(32 << 10));
  }

  /** Keys by Zipf's law: the key of rank r has a share proportional to r^-s; 0 is uniform. */
  private static long[] zipf(double exponent, long seed) {
    double[] sums = new double[UNIVERSE];
    for (int i = 0; i < UNIVERSE; i++) {
      sums[i] = (i == 0 ? 0 : sums[i - 1]) + Math.pow(i + 1.0, -exponent);
    }
    SplitMix64 random = new SplitMix64(seed);
    long[] keys = new long[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      double u = (random.next() >>> 11) * 0x1p-53 * sums[UNIVERSE - 1];
      int rank = Arrays.binarySearch(sums, u);
      keys[i] = rank < 0 ? -rank - 1 : rank;
    }
    return keys;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.8, 1.0, 1.2})
  void number_5_intervals_hold_on_skewed_streams(double exponent) {
    long[] keys = zipf(exponent, 1);
    String stream = "Zipf " + exponent;
    watch(FilterKind.RECENCY, 6, keys).assertHolds("recency " + stream, AuditReport::fnr, 0.03);
    Watched rlbsbf = watch(FilterKind.RLBSBF, 2, keys);
    rlbsbf.assertHolds("rlbsbf " + stream, AuditReport::fnr, 0.03);
    rlbsbf.assertHolds("rlbsbf " + stream, AuditReport::fpr, 0.03);
  }

  /** Half of the keys are let through always, however popular: errors have a long tail too. */
  @Test
  void intervals_hold_when_popular_keys_are_the_ones_let_through() {
    for (double exponent : new double[] {1.0, 1.2}) {
      watch(FilterKind.SAMPLED, 4, zipf(exponent, 2))
          .assertHolds("sampled, Zipf " + exponent, AuditReport::fnr, 0.03);
    }
  }

  /** What is known of windows is less, and intervals are a little wider than they need be. */
  @ParameterizedTest
  @EnumSource
  void intervals_hold_with_a_window(Refresh refresh) {
    FilterSpec spec =
        FilterSpec.builder(FilterKind.RECENCY, 4_000)
            .window(Window.records(RECORDS / 8))
            .refresh(refresh)
            .build();
    watch(spec, zipf(1.0, 3), AuditSpec.oneIn(32).memory(128 << 10))
        .assertHolds("window, refresh " + refresh, AuditReport::fnr, 0.05, 0.985);
  }

  /** The tables have room for an eighth of the keys that are asked for. */
  @Test
  void intervals_hold_after_the_share_was_halved() {
    FilterSpec spec = FilterSpec.of(FilterKind.RECENCY, 8_000);
    Watched thinned = watch(spec, zipf(1.0, 4), AuditSpec.oneIn(4).memory(24_000));
    assertThat(thinned.reports()).allMatch(AuditReport::thinned);
    thinned.assertHolds("thinned", AuditReport::fnr, 0.03);
  }
}
