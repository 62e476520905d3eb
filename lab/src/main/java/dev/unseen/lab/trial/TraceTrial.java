package dev.unseen.lab.trial;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs real records, read once, through several filters, and counts the errors of each against the
 * exact truth.
 */
public final class TraceTrial {
  private static final int BATCH = 4096;

  private final Hash64 hash;
  private final Hash64 truthHigh = HashKind.XXH3.create(0x5EED_0001);
  private final Hash64 truthLow = HashKind.XXH3.create(0x5EED_0002);
  private final SeenHashes seen = new SeenHashes();
  private final long[] hashes = new long[BATCH];
  private final boolean[] first = new boolean[BATCH];
  private final long[] fresh = new long[BATCH / Long.SIZE];
  private final List<Contestant> contestants = new ArrayList<>();
  private long records;

  private TraceTrial(List<FilterSpec> specs) {
    this.hash = HashKind.XXH3.create(specs.get(0).seed());
    for (FilterSpec spec : specs) {
      contestants.add(new Contestant(Filters.create(spec)));
    }
  }

  /** A filter and its errors so far. */
  private static final class Contestant {
    final DuplicateFilter filter;
    long falsePositives;
    long falseNegatives;
    long nanos;

    Contestant(DuplicateFilter filter) {
      this.filter = filter;
    }
  }

  /** The errors of a filter and its speed. */
  public record Result(FilterSpec spec, long memoryBytes, Tally tally, double recordsPerSecond) {}

  /**
   * Runs all records of the reader.
   *
   * @param specs the filters, all with the same seed, which is also that of the keys' hash
   */
  public static List<Result> run(KeySource keys, List<FilterSpec> specs) throws IOException {
    TraceTrial trial = new TraceTrial(specs);
    int count;
    while ((count = trial.read(keys)) > 0) {
      trial.batch(count);
    }
    return trial.results();
  }

  private int read(KeySource keys) throws IOException {
    int count = 0;
    while (count < BATCH && keys.next()) {
      byte[] key = keys.buffer();
      hashes[count] = hash.hash(key, keys.offset(), keys.length());
      first[count] =
          seen.add(
              truthHigh.hash(key, keys.offset(), keys.length()),
              truthLow.hash(key, keys.offset(), keys.length()));
      count++;
    }
    return count;
  }

  private void batch(int count) {
    for (Contestant c : contestants) {
      long start = System.nanoTime();
      c.filter.admitAll(hashes, 0, count, fresh);
      c.nanos += System.nanoTime() - start;
      for (int i = 0; i < count; i++) {
        boolean admitted = ((fresh[i / Long.SIZE] >>> i) & 1) != 0;
        c.falsePositives += first[i] && !admitted ? 1 : 0;
        c.falseNegatives += !first[i] && admitted ? 1 : 0;
      }
    }
    records += count;
  }

  private List<Result> results() {
    return contestants.stream()
        .map(
            c ->
                new Result(
                    c.filter.spec(),
                    c.filter.memoryBytes(),
                    new Tally(
                        records, seen.size(), c.falsePositives, c.falseNegatives, c.filter.load()),
                    records * 1e9 / Math.max(1, c.nanos)))
        .toList();
  }
}
