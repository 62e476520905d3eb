package dev.unseen.plan.predict;

import dev.unseen.bits.Mix;
import dev.unseen.plan.stream.OctaveBuckets;
import dev.unseen.plan.stream.SampledStreamModel;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Simulates which records of a sample are stored by a filter that stores only some, by moment of
 * the stream and distance back from it.
 *
 * <p>Distances between records do not show how far back the last <em>stored</em> record of a key
 * lies: a key of many records gets stored soon, a key of two perhaps never. So a coin is tossed for
 * each record of the sample, as the filter would, and the distances to the last stored record are
 * counted. The coin is the position's hash, so the same sample gives the same prediction.
 *
 * <p>Moments follow each other as fast as the filter's memory changes, which depends on the number
 * of stored records.
 */
final class StoredSample {
  private static final int MOMENTS = 64;
  private static final OctaveBuckets LAGS = new OctaveBuckets(3);

  private static final int MOST_KEPT = 64; // for each sample; each takes 100 KiB
  private static final Map<SampledStreamModel, Map<Key, StoredSample>> KEPT = new WeakHashMap<>();

  /**
   * The values that decide which records are stored. Filters with equal values store the same
   * records.
   */
  private record Key(double bankBits, double thirdPhase) {}

  private final FilterLaw law;
  private final double records;
  private final int lags;
  private final double[] edge; // the largest distance of each bucket
  private final double[] end; // of each moment, in records
  private final double[][] unseen; // by moment, and distance
  private final double[][] distinct;
  private final double[] first; // the share of first records
  private final double[] firstsBefore; // how many before the moment

  /**
   * Returns what a filter of this law stores of the sample. It is empty if the sample is too long
   * to keep. A plan asks many times for few different laws, so the latest results are kept for as
   * long as the sample is in use.
   */
  static Optional<StoredSample> of(SampledStreamModel sample, FilterLaw law) {
    if (!sample.hasDistances()) {
      return Optional.empty();
    }
    boolean hasThird = law.thirdPhase() < sample.records();
    Key key = new Key(law.bankBits(), hasThird ? law.thirdPhase() : Double.POSITIVE_INFINITY);
    Map<Key, StoredSample> kept;
    synchronized (KEPT) {
      kept = KEPT.computeIfAbsent(sample, any -> new Latest());
    }
    synchronized (kept) {
      return Optional.of(kept.computeIfAbsent(key, any -> new StoredSample(sample, law)));
    }
  }

  private static final class Latest extends LinkedHashMap<Key, StoredSample> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Key, StoredSample> eldest) {
      return size() > MOST_KEPT;
    }
  }

  private StoredSample(SampledStreamModel sample, FilterLaw law) {
    this.law = law;
    this.records = sample.size();
    this.lags = LAGS.bucket(sample.size()) + 1;
    this.edge = new double[lags];
    for (int i = 1; i < lags; i++) {
      edge[i] = LAGS.upperEdge(i);
    }
    this.end = ends();
    this.unseen = new double[MOMENTS][lags];
    this.first = new double[MOMENTS];
    this.firstsBefore = new double[MOMENTS + 1];
    count(sample);
    this.distinct = new double[MOMENTS][lags];
    for (int moment = 0; moment < MOMENTS; moment++) {
      for (int lag = 1; lag < lags; lag++) {
        distinct[moment][lag] = storedKeys(moment, lag);
      }
    }
  }

  /**
   * Returns the ends of the moments, with equally many stored records in each. Phase 3 of RSBF,
   * which may be long and stores all records, gets half of the moments at most.
   */
  private double[] ends() {
    double third = Math.min(records, law.thirdPhase());
    double sampled = law.chosenAmongLast(third, third);
    double pace = Math.min(1, sampled / Math.max(1, records - third));
    double all = sampled + pace * (records - third);
    double[] ends = new double[MOMENTS];
    for (int moment = 0; moment < MOMENTS; moment++) {
      double wanted = all * (moment + 1) / MOMENTS;
      ends[moment] = wanted > sampled ? third + (wanted - sampled) / pace : whenStored(wanted);
    }
    ends[MOMENTS - 1] = records;
    return ends;
  }

  /** Returns the first record, before phase 3, up to which this number of records is stored. */
  private double whenStored(double wanted) {
    double low = 0;
    double high = records;
    while (high - low > 0.25) {
      double middle = (low + high) / 2;
      if (law.chosenAmongLast(middle, middle) < wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.ceil(high);
  }

  private void count(SampledStreamModel sample) {
    int[] lastStored = new int[sample.size()]; // of the record's key, up to it; from 1 on
    double[] total = new double[MOMENTS];
    int moment = 0;
    for (int i = 0; i < sample.size(); i++) {
      int back = sample.distance(i);
      while (moment < MOMENTS - 1 && i >= end[moment]) {
        moment++;
      }
      int last = back == 0 ? 0 : lastStored[i - back];
      total[moment]++;
      first[moment] += back == 0 ? 1 : 0;
      if (last > 0) {
        unseen[moment][LAGS.bucket(i + 1 - last)]++;
      }
      lastStored[i] = coin(i) < law.storeChance(i + 1.0) ? i + 1 : last;
    }
    for (int m = 0; m < MOMENTS; m++) {
      finish(m, total[m]);
    }
  }

  /** Turns counts into the share of records whose key was not stored within each distance. */
  private void finish(int moment, double total) {
    firstsBefore[moment + 1] = firstsBefore[moment] + first[moment];
    if (total == 0) { // more moments than records
      int before = Math.max(0, moment - 1);
      first[moment] = first[before];
      unseen[moment] = unseen[before];
      return;
    }
    first[moment] /= total;
    double share = 1;
    for (int lag = 0; lag < lags; lag++) {
      share -= unseen[moment][lag] / total;
      unseen[moment][lag] = Math.max(0, share);
    }
  }

  private static double coin(int record) {
    return (Mix.mix(record) >>> 11) * 0x1p-53;
  }

  /**
   * Returns the number of distinct keys stored from a distance before the end of a moment up to it.
   */
  private double storedKeys(int moment, int lag) {
    double from = end[moment] - Math.min(edge[lag], end[moment]);
    double sum = 0;
    double reached = 0; // records after "from"
    double chosenReached = law.chosenAmongLast(from, from);
    for (int i = 1; i <= lag && reached < end[moment] - from; i++) {
      double next = Math.min(edge[i], end[moment] - from);
      double chosenNext = law.chosenAmongLast(from + next, from + next);
      double middle = from + (reached + next) / 2;
      double[] there = unseen[moment(middle)];
      sum += (chosenNext - chosenReached) * (there[i - 1] + there[i]) / 2;
      reached = next;
      chosenReached = chosenNext;
    }
    return sum;
  }

  private int moment(double t) {
    int at = Arrays.binarySearch(end, t);
    return Math.min(MOMENTS - 1, at >= 0 ? at : -at - 1);
  }

  /** Returns the chance that the record at t is the first of its key. */
  double first(double t) {
    return first[moment(t)];
  }

  /** Returns the number of keys up to t. */
  double keys(double t) {
    int moment = moment(t);
    double start = moment == 0 ? 0 : end[moment - 1];
    double width = Math.max(1, end[moment] - start);
    double share = Math.max(0, Math.min(1, (t - start) / width));
    return firstsBefore[moment] + share * (firstsBefore[moment + 1] - firstsBefore[moment]);
  }

  /**
   * Returns the chance that no record of the key of the record at t was stored among the last
   * {@code lag} records.
   */
  double unseen(double t, double lag) {
    double[] there = unseen[moment(t)];
    return lag >= t ? there[lags - 1] : at(there, lag); // a moment has later records than t, too
  }

  /**
   * Returns the number of distinct keys among the stored records of the last {@code lag} records
   * before t.
   */
  double distinct(double t, double lag) {
    int moment = moment(t);
    double before = moment == 0 ? 0 : end[moment - 1];
    double width = end[moment] - before;
    double share = width > 0 ? Math.max(0, Math.min(1, (t - before) / width)) : 1;
    double there = at(distinct[moment], lag);
    return moment == 0
        ? share * there
        : there * share + (1 - share) * at(distinct[moment - 1], lag);
  }

  /** Interpolates linearly between the edges. */
  private double at(double[] values, double lag) {
    int high = LAGS.bucket((long) lag);
    while (high < lags && edge[high] < lag) {
      high++;
    }
    if (high >= lags) {
      return values[lags - 1];
    }
    if (high == 0) {
      return values[0];
    }
    double share = (lag - edge[high - 1]) / (edge[high] - edge[high - 1]);
    return values[high - 1] + share * (values[high] - values[high - 1]);
  }
}
