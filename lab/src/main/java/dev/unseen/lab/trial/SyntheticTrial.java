package dev.unseen.lab.trial;

import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.lab.stream.SyntheticStream;
import dev.unseen.state.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Runs a synthetic stream, computed once, through several filters and counts the errors of each
 * against the exact truth, which is one bit per key.
 */
public final class SyntheticTrial {
  private static final int BATCH = 4096;

  private final SyntheticStream stream;
  private final Hash64 hash;
  private final Words seen;
  private final List<Errors> all;
  private final long[] hashes = new long[BATCH];
  private final long[] first = new long[BATCH / Long.SIZE];
  private final long[] fresh = new long[BATCH / Long.SIZE];
  private long records;
  private long distinct;

  private SyntheticTrial(SyntheticStream stream, List<DuplicateFilter> filters) {
    this.stream = stream;
    this.hash = HashKind.XXH3.create(filters.get(0).spec().seed());
    this.seen = new Words((stream.keySpace() + Long.SIZE - 1) / Long.SIZE);
    this.all = filters.stream().map(Errors::new).toList();
  }

  /** A filter, its errors so far, and its errors at each checkpoint. */
  private static final class Errors {
    final DuplicateFilter filter;
    final List<Tally> tallies = new ArrayList<>();
    long falsePositives;
    long falseNegatives;

    Errors(DuplicateFilter filter) {
      this.filter = filter;
    }
  }

  /**
   * Runs the whole stream.
   *
   * @param filters empty filters, all with the same seed, which is also that of the keys' hash
   * @param checkpoints the numbers of records after which errors are recorded, ascending; the last
   *     is the length of the stream
   * @param progress receives the number of records of each part that has passed, once for all
   *     filters
   * @return for each filter its tallies at the checkpoints
   */
  public static List<List<Tally>> run(
      SyntheticStream stream,
      List<DuplicateFilter> filters,
      long[] checkpoints,
      LongConsumer progress) {
    SyntheticTrial trial = new SyntheticTrial(stream, filters);
    for (long checkpoint : checkpoints) {
      while (trial.records < checkpoint) {
        int count = (int) Math.min(BATCH, checkpoint - trial.records);
        trial.batch(count);
        progress.accept(count);
      }
      for (Errors e : trial.all) {
        double load = e.filter.load();
        e.tallies.add(
            new Tally(checkpoint, trial.distinct, e.falsePositives, e.falseNegatives, load));
      }
    }
    return trial.all.stream().map(e -> e.tallies).toList();
  }

  private void batch(int count) {
    Arrays.fill(first, 0);
    for (int i = 0; i < count; i++) {
      long key = stream.key(records + i);
      hashes[i] = hash.hash(key);
      long isFirst = seen.setBit(key);
      first[i / Long.SIZE] |= isFirst << i;
      distinct += isFirst;
    }
    for (Errors e : all) {
      e.filter.admitAll(hashes, 0, count, fresh);
      for (int w = 0; w * Long.SIZE < count; w++) {
        e.falsePositives += Long.bitCount(first[w] & ~fresh[w]);
        e.falseNegatives += Long.bitCount(~first[w] & fresh[w]); // no bit is set beyond the count
      }
    }
    records += count;
  }

  /**
   * Returns checkpoints for a stream of this length: every fiftieth of it, and more at the start,
   * where filters that are still empty change fastest.
   */
  public static long[] alongTheStream(long records) {
    LongStream early =
        DoubleStream.of(0.0005, 0.001, 0.002, 0.005, 0.01, 0.015)
            .mapToLong(share -> (long) (share * records));
    LongStream later =
        IntStream.rangeClosed(1, 50).mapToLong(i -> i == 50 ? records : records / 50 * i);
    return LongStream.concat(early, later).filter(point -> point > 0).distinct().toArray();
  }
}
