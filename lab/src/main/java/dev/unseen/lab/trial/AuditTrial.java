package dev.unseen.lab.trial;

import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Counts how many intervals of audits contain the truth. A filter runs over a stream several times,
 * each time with different hashes of the keys. Each run has one audit that follows all keys, which
 * gives the truth, and many audits that follow different samples of the keys.
 */
public final class AuditTrial {
  private static final long EXACT_BYTES_PER_KEY = 64;
  private static final long SAMPLE_BYTES = 1 << 20;

  private final long[] hashes; // of the key of each record
  private final long[] keys; // the distinct hashes
  private final int[][] places; // the records of each key

  /** Creates a trial on a stream, given as the hashes of the keys of its records. */
  public AuditTrial(long[] hashes) {
    this.hashes = hashes.clone();
    Map<Long, List<Integer>> placesOf = new LinkedHashMap<>();
    for (int i = 0; i < hashes.length; i++) {
      placesOf.computeIfAbsent(hashes[i], any -> new ArrayList<>()).add(i);
    }
    keys = placesOf.keySet().stream().mapToLong(key -> key).toArray();
    places =
        placesOf.values().stream()
            .map(list -> list.stream().mapToInt(place -> place).toArray())
            .toArray(int[][]::new);
  }

  public int records() {
    return hashes.length;
  }

  public int distinct() {
    return keys.length;
  }

  /** The results over the intervals of all samples, for both errors. */
  public record Result(Coverage fpr, Coverage fnr) {}

  /**
   * Runs a filter and its audits.
   *
   * @param spec the filter; one record passes in each millisecond of a window of time
   * @param oneIn each sample follows one in this number of keys
   * @param samples the number of samples of each run
   */
  public Result run(FilterSpec spec, long oneIn, int runs, int samples) {
    Coverage fpr = new Coverage();
    Coverage fnr = new Coverage();
    for (int run = 0; run < runs; run++) {
      BitSet fresh = admitAll(spec, run);
      long admitted = fresh.cardinality();
      Audit exact = new Audit(new AuditSpec(1, EXACT_BYTES_PER_KEY * keys.length + 4096), spec);
      for (int i = 0; i < hashes.length; i++) {
        exact.advanceTo(i);
        exact.observe(hashes[i], fresh.get(i));
      }
      AuditReport truth = exact.report(hashes.length, admitted);
      for (int sample = 0; sample < samples; sample++) {
        Audit audit = new Audit(new AuditSpec(oneIn, SAMPLE_BYTES), spec);
        follow(audit, Mix.mix(1L + sample + (long) run * samples), fresh);
        AuditReport report = audit.report(hashes.length, admitted);
        AuditReport alone = audit.report();
        fpr.add(truth.fpr().rate(), report.fpr(), alone.fpr());
        fnr.add(truth.fnr().rate(), report.fnr(), alone.fnr());
      }
    }
    return new Result(fpr, fnr);
  }

  /** Returns the records that a filter admits. */
  private BitSet admitAll(FilterSpec spec, int run) {
    DuplicateFilter filter = Filters.create(spec);
    BitSet fresh = new BitSet();
    for (int i = 0; i < hashes.length; i++) {
      filter.advanceTo(i);
      fresh.set(i, filter.admit(Mix.mix(hashes[i] + run * Mix.GOLDEN)));
    }
    return fresh;
  }

  /** Shows an audit only the records of the keys that it follows, in order. */
  private void follow(Audit audit, long salt, BitSet fresh) {
    IntStream.range(0, keys.length)
        .filter(k -> audit.follows(Mix.mix(keys[k] ^ salt)))
        .flatMap(k -> Arrays.stream(places[k]))
        .sorted()
        .forEach(
            place -> {
              audit.advanceTo(place);
              audit.observe(Mix.mix(hashes[place] ^ salt), fresh.get(place));
            });
  }

  /** Compares the intervals of one rate with the truth. */
  public static final class Coverage {
    /** The names of the numbers in {@link #csv}. Those alone are of the followed keys alone. */
    public static final String COLUMNS =
        "truth,errors_in_a_sample,without_error,samples,held,above,below,mean_to_truth,mean_width,"
            + "held_alone,mean_to_truth_alone,mean_width_alone";

    private record Sample(double truth, MeasuredRate rate, MeasuredRate alone) {}

    private final List<Sample> samples = new ArrayList<>();

    private void add(double truth, MeasuredRate rate, MeasuredRate alone) {
      samples.add(new Sample(truth, rate, alone));
    }

    private double mean(ToDoubleFunction<Sample> value) {
      return samples.stream().mapToDouble(value).average().orElseThrow();
    }

    private double share(Predicate<Sample> which) {
      return mean(sample -> which.test(sample) ? 1 : 0);
    }

    /** Returns the share of the intervals that contain the truth. */
    public double held() {
      return 1 - above() - below();
    }

    private double above() {
      return share(s -> s.rate.low() > s.truth);
    }

    private double below() {
      return share(s -> s.rate.high() < s.truth);
    }

    /** Returns the true rate, as the mean over the runs. */
    public double truth() {
      return mean(Sample::truth);
    }

    /** Returns the mean of the measured rates as a multiple of the truth, or nothing if it is 0. */
    public String rateToTruth() {
      return toTruth(s -> s.rate.rate());
    }

    private String toTruth(ToDoubleFunction<Sample> rate) {
      return truth() == 0 ? "" : String.format(Locale.ROOT, "%.4f", mean(rate) / truth());
    }

    /** Returns all numbers, as a part of a line. */
    public String csv() {
      return String.format(
          Locale.ROOT,
          "%.6g,%.2f,%.4f,%d,%.4f,%.4f,%.4f,%s,%.4g,%.4f,%s,%.4g",
          truth(),
          mean(s -> s.rate.errors()),
          share(s -> s.rate.errors() == 0),
          samples.size(),
          held(),
          above(),
          below(),
          rateToTruth(),
          mean(s -> s.rate.high() - s.rate.low()),
          share(s -> s.alone.low() <= s.truth && s.truth <= s.alone.high()),
          toTruth(s -> s.alone.rate()),
          mean(s -> s.alone.high() - s.alone.low()));
    }
  }
}
