package dev.unseen.lab.trial;

import dev.unseen.bits.Words;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.hash.Xxh3;
import dev.unseen.lab.stream.SyntheticStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Runs a synthetic stream through a filter and counts its errors against the exact truth, which is
 * one bit per key.
 */
public final class SyntheticTrial {
  private static final int BATCH = 4096;

  private final SyntheticStream stream;
  private final DuplicateFilter filter;
  private final Xxh3 hash;
  private final Words seen;
  private final long[] keys = new long[BATCH];
  private final long[] hashes = new long[BATCH];
  private final long[] fresh = new long[BATCH / Long.SIZE];
  private long records;
  private long distinct;
  private long falsePositives;
  private long falseNegatives;

  private SyntheticTrial(SyntheticStream stream, FilterSpec spec) {
    this.stream = stream;
    this.filter = spec.build();
    this.hash = new Xxh3(spec.seed());
    this.seen = new Words((stream.keySpace() + Long.SIZE - 1) / Long.SIZE);
  }

  /**
   * Runs the whole stream.
   *
   * @param checkpoints after how many records to take stock; rising, the last is the stream's
   *     length
   * @param progress is told each count of records that has passed
   */
  public static List<Tally> run(
      SyntheticStream stream, FilterSpec spec, long[] checkpoints, LongConsumer progress) {
    SyntheticTrial trial = new SyntheticTrial(stream, spec);
    List<Tally> tallies = new ArrayList<>(checkpoints.length);
    for (long checkpoint : checkpoints) {
      while (trial.records < checkpoint) {
        int count = (int) Math.min(BATCH, checkpoint - trial.records);
        trial.batch(count);
        progress.accept(count);
      }
      tallies.add(trial.tally());
    }
    return tallies;
  }

  private void batch(int count) {
    stream.fill(records, count, keys);
    for (int i = 0; i < count; i++) {
      hashes[i] = hash.hash(keys[i]);
    }
    filter.admitAll(hashes, 0, count, fresh);
    for (int i = 0; i < count; i++) {
      int first = seen.setBit(keys[i]);
      int admitted = (int) (fresh[i / Long.SIZE] >>> i) & 1;
      distinct += first;
      falsePositives += first & ~admitted;
      falseNegatives += ~first & admitted;
    }
    records += count;
  }

  private Tally tally() {
    return new Tally(records, distinct, falsePositives, falseNegatives, filter.load());
  }

  /**
   * Where to take stock on so many records: every fiftieth, and closer at the start, where filters
   * that are still empty change fastest.
   */
  public static long[] alongTheStream(long records) {
    double[] early = {0.0005, 0.001, 0.002, 0.005, 0.01, 0.015};
    List<Long> points = new ArrayList<>();
    for (double share : early) {
      points.add((long) (share * records));
    }
    for (int i = 1; i <= 50; i++) {
      points.add(i == 50 ? records : records / 50 * i);
    }
    return points.stream().mapToLong(p -> p).filter(p -> p > 0).distinct().toArray();
  }
}
