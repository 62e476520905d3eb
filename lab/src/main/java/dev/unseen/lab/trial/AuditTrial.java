package dev.unseen.lab.trial;

import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Counts how many intervals of audits contain the truth. A filter runs over a stream several times,
 * each time with different hashes of the keys. Each run has one audit that follows all keys, which
 * gives the truth, and many audits that follow different samples of the keys.
 */
public final class AuditTrial {
  private static final long EXACT_BYTES_PER_KEY = 64;
  private static final long SAMPLE_BYTES = 1 << 20;

  private final long[] keys; // the hash of each
  private final int[] starts; // of each key in the places, and the end
  private final int[] places; // the records of each key, in their order
  private final int[] keyOf; // of each record
  private long[] events = {}; // of one sample: place << 32 | key

  /** Creates a trial on a stream, given as the hashes of the keys of its records. */
  public AuditTrial(long[] hashes) {
    Map<Long, Integer> indexes = new HashMap<>();
    keyOf = new int[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      Integer known = indexes.putIfAbsent(hashes[i], indexes.size());
      keyOf[i] = known == null ? indexes.size() - 1 : known;
    }
    keys = new long[indexes.size()];
    starts = new int[keys.length + 1];
    for (int i = 0; i < hashes.length; i++) {
      keys[keyOf[i]] = hashes[i];
      starts[keyOf[i] + 1]++;
    }
    Arrays.parallelPrefix(starts, Integer::sum);
    places = new int[hashes.length];
    int[] next = starts.clone();
    for (int i = 0; i < hashes.length; i++) {
      places[next[keyOf[i]]++] = i;
    }
  }

  /** Returns the number of records. */
  public int records() {
    return keyOf.length;
  }

  /** Returns the number of distinct keys. */
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
    long[] fresh = new long[keyOf.length / Long.SIZE + 1];
    for (int run = 0; run < runs; run++) {
      long admitted = admitAll(spec, run, fresh);
      Audit exact = new Audit(new AuditSpec(1, EXACT_BYTES_PER_KEY * keys.length + 4096), spec);
      for (int i = 0; i < keyOf.length; i++) {
        exact.advanceTo(i);
        exact.observe(keys[keyOf[i]], isSet(fresh, i));
      }
      AuditReport truth = exact.report(keyOf.length, admitted);
      for (int sample = 0; sample < samples; sample++) {
        Audit audit = new Audit(new AuditSpec(oneIn, SAMPLE_BYTES), spec);
        follow(audit, Mix.mix(1L + sample + (long) run * samples), fresh);
        AuditReport report = audit.report(keyOf.length, admitted);
        AuditReport alone = audit.report();
        fpr.add(truth.fpr().rate(), report.fpr(), alone.fpr());
        fnr.add(truth.fnr().rate(), report.fnr(), alone.fnr());
      }
    }
    return new Result(fpr, fnr);
  }

  private long admitAll(FilterSpec spec, int run, long[] fresh) {
    DuplicateFilter filter = Filters.create(spec);
    Arrays.fill(fresh, 0);
    long admitted = 0;
    for (int i = 0; i < keyOf.length; i++) {
      filter.advanceTo(i);
      if (filter.admit(Mix.mix(keys[keyOf[i]] + run * Mix.GOLDEN))) {
        fresh[i / Long.SIZE] |= 1L << i;
        admitted++;
      }
    }
    return admitted;
  }

  /** Shows an audit only the records of the keys that it follows, in order. */
  private void follow(Audit audit, long salt, long[] fresh) {
    int count = 0;
    for (int k = 0; k < keys.length; k++) {
      if (audit.follows(Mix.mix(keys[k] ^ salt))) {
        int more = starts[k + 1] - starts[k];
        if (count + more > events.length) {
          events = Arrays.copyOf(events, 2 * (count + more));
        }
        for (int i = starts[k]; i < starts[k + 1]; i++) {
          events[count++] = (long) places[i] << 32 | k;
        }
      }
    }
    Arrays.sort(events, 0, count);
    for (int i = 0; i < count; i++) {
      int place = (int) (events[i] >>> 32);
      audit.advanceTo(place);
      audit.observe(Mix.mix(keys[(int) events[i]] ^ salt), isSet(fresh, place));
    }
  }

  private static boolean isSet(long[] bits, int i) {
    return (bits[i / Long.SIZE] >>> i & 1) != 0;
  }

  /** Compares the intervals of one rate with the truth. */
  public static final class Coverage {
    /** The names of the numbers in {@link #csv}. Those alone are of the followed keys alone. */
    public static final String COLUMNS =
        "truth,errors_in_a_sample,without_error,samples,held,above,below,mean_to_truth,mean_width,"
            + "held_alone,mean_to_truth_alone,mean_width_alone";

    private int samples;
    private int withoutError;
    private int above;
    private int below;
    private int heldAlone;
    private long errors;
    private double truths;
    private double rates;
    private double widths;
    private double ratesAlone;
    private double widthsAlone;

    private void add(double truth, MeasuredRate rate, MeasuredRate alone) {
      samples++;
      errors += rate.errors();
      withoutError += rate.errors() == 0 ? 1 : 0;
      above += rate.low() > truth ? 1 : 0;
      below += rate.high() < truth ? 1 : 0;
      heldAlone += alone.low() <= truth && truth <= alone.high() ? 1 : 0;
      truths += truth;
      rates += rate.rate();
      widths += rate.high() - rate.low();
      ratesAlone += alone.rate();
      widthsAlone += alone.high() - alone.low();
    }

    /** Returns the share of the intervals that contain the truth. */
    public double held() {
      return 1 - mean(above) - mean(below);
    }

    /** Returns the true rate, as the mean over the runs. */
    public double truth() {
      return mean(truths);
    }

    /** Returns the mean of the measured rates as a multiple of the truth, or nothing if it is 0. */
    public String rateToTruth() {
      return toTruth(rates);
    }

    /** Returns all numbers, as a part of a line. */
    public String csv() {
      return String.format(
          Locale.ROOT,
          "%.6g,%.2f,%.4f,%d,%.4f,%.4f,%.4f,%s,%.4g,%.4f,%s,%.4g",
          truth(),
          mean((double) errors),
          mean(withoutError),
          samples,
          held(),
          mean(above),
          mean(below),
          toTruth(rates),
          mean(widths),
          mean(heldAlone),
          toTruth(ratesAlone),
          mean(widthsAlone));
    }

    private double mean(double sum) {
      return sum / samples;
    }

    private String toTruth(double sum) {
      return truths == 0 ? "" : String.format(Locale.ROOT, "%.4f", mean(sum) / truth());
    }
  }
}
