package dev.unseen.lab.trial;

import dev.unseen.audit.Audit;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.MeasuredRate;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.hash.Mix;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts how many intervals of audits hold the truth. A filter runs over a stream several times,
 * each time with other hashes of the keys; each run is watched by one audit that follows all keys,
 * which is the truth, and by many that follow some, each of them others.
 */
public final class AuditTrial {
  private static final long EXACT_BYTES_PER_KEY = 64;
  private static final long SAMPLE_BYTES = 1 << 20;

  private final long[] keys; // the hash of each
  private final int[] starts; // of each key in the places, and the end
  private final int[] places; // the records of each key, in their order
  private final int[] keyOf; // of each record
  private long[] events = {}; // of one sample: place << 32 | key

  /** Takes a stream, as the hashes of the keys of its records. */
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

  /** The count of its records. */
  public int records() {
    return keyOf.length;
  }

  /** The count of its keys. */
  public int distinct() {
    return keys.length;
  }

  /** What the intervals of all samples were worth, of both errors. */
  public record Result(Coverage fpr, Coverage fnr) {}

  /**
   * Runs a filter and its audits.
   *
   * @param spec a window of time counts records: one passes in each millisecond
   * @param oneIn of so many keys, each sample follows one
   * @param samples of each run
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
    DuplicateFilter filter = spec.build();
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

  /** Shows an audit the records of the keys that it follows, in their order, and no others. */
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

  /** How the intervals of one rate compare with the truth. */
  public static final class Coverage {
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

    /** The share of the intervals that hold the truth. */
    public double held() {
      return 1 - above() - below();
    }

    /** The share of the intervals that are wholly above the truth. */
    public double above() {
      return (double) above / samples;
    }

    /** The share of the intervals that are wholly below the truth. */
    public double below() {
      return (double) below / samples;
    }

    /**
     * The share of the intervals that hold the truth if the followed keys are all that is known.
     */
    public double heldAlone() {
      return (double) heldAlone / samples;
    }

    /** How many samples there were. */
    public int samples() {
      return samples;
    }

    /** The mean count of errors in a sample. */
    public double errors() {
      return (double) errors / samples;
    }

    /** The share of the samples that had no error. */
    public double withoutError() {
      return (double) withoutError / samples;
    }

    /** The true rate, as the mean over the runs. */
    public double truth() {
      return truths / samples;
    }

    /** The mean of the measured rates. */
    public double rate() {
      return rates / samples;
    }

    /** The mean width of the intervals. */
    public double width() {
      return widths / samples;
    }

    /** The mean of the measured rates if the followed keys are all that is known. */
    public double rateAlone() {
      return ratesAlone / samples;
    }

    /** The mean width of the intervals if the followed keys are all that is known. */
    public double widthAlone() {
      return widthsAlone / samples;
    }
  }
}
