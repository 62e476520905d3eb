package dev.unseen.filter;

import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import java.util.Arrays;

/**
 * How many records a second a filter takes, one by one and in batches, half of the records being
 * duplicates. A main, not a test: machines are noisy.
 *
 * <pre>
 * mvn -q -DskipTests package
 * java -Xmx2g -cp core/target/classes:core/target/test-classes dev.unseen.filter.FilterRate rlbsbf 512
 * </pre>
 *
 * The two paths take turns, five rounds each, and the median of each is printed.
 */
public final class FilterRate {
  private static final int ROUND = 1 << 23;
  private static final int ROUNDS = 5;
  private static final int BATCH = 4096;

  private final DuplicateFilter filter;
  private final Hash64 hash = HashKind.XXH3.create(1);
  private final long[] hashes = new long[ROUND];
  private final long[] fresh = new long[BATCH / 64];
  private long nextKey;

  private FilterRate(DuplicateFilter filter) {
    this.filter = filter;
  }

  /** Arguments: kind, MiB, the load to fill it to first, k; all optional. */
  public static void main(String[] args) {
    FilterKind kind = FilterKind.of(args.length > 0 ? args[0] : "rlbsbf");
    long memory = (args.length > 1 ? Long.parseLong(args[1]) : 512) << 20;
    FilterSpec.Builder spec = FilterSpec.builder(kind, memory).seed(1);
    if (args.length > 3) {
      spec.hashes(Integer.parseInt(args[3]));
    }
    double load = args.length > 2 ? Double.parseDouble(args[2]) : 0.1;
    new FilterRate(Filters.create(spec.build())).run(load);
  }

  private void run(double load) {
    fill(load);
    double[] single = new double[ROUNDS];
    double[] batch = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      drawRecords();
      single[i] = rate(this::oneByOne);
      drawRecords();
      batch[i] = rate(this::inBatches);
    }
    Arrays.sort(single);
    Arrays.sort(batch);
    double one = single[ROUNDS / 2];
    double all = batch[ROUNDS / 2];
    System.out.printf(
        "%s, load %.3f: one by one %.2f M/s, batch %.2f M/s, ratio %.2f%n",
        filter.spec().describe(), filter.load(), one, all, one / all);
  }

  /** At some load resets happen; the steady load of a large filter is many minutes away. */
  private void fill(double load) {
    while (filter.load() < load) {
      drawRecords();
      inBatches();
      drawRecords();
      oneByOne(); // warmed as well
    }
  }

  /** Every other record is a repeat of one about ROUND records back. */
  private void drawRecords() {
    for (int i = 0; i < ROUND; i += 2) {
      hashes[i] = hash.hash(nextKey);
      hashes[i + 1] = hash.hash(Math.max(0, nextKey - ROUND / 2));
      nextKey++;
    }
  }

  private static double rate(Runnable round) {
    long start = System.nanoTime();
    round.run();
    return ROUND * 1e3 / (System.nanoTime() - start);
  }

  private void oneByOne() {
    for (long h : hashes) {
      filter.admit(h);
    }
  }

  private void inBatches() {
    for (int i = 0; i < ROUND; i += BATCH) {
      filter.admitAll(hashes, i, BATCH, fresh);
    }
  }
}
