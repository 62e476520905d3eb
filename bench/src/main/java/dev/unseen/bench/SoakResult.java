package dev.unseen.bench;

import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.Collectors;

/**
 * The resident memory after a warm-up, by the medians of its slices: while Java compiles, a process
 * takes some memory for seconds and gives it back.
 *
 * @param least the smallest median of a slice, in bytes
 * @param most the largest median of a slice, in bytes
 * @param peak the largest sample, in bytes
 */
record SoakResult(long least, long most, long peak) {
  /** The largest allowed difference between two slices, as a share of the smaller one. */
  static final double FLAT = 0.05;

  /** The seconds in which Java compiles the code it runs. For a short run it is the first half. */
  private static final long WARM_UP = 300;

  /** The seconds of a slice. A short run has two slices. */
  private static final long SLICE = 300;

  static SoakResult of(List<MemorySoak.Sample> samples) {
    long end = samples.get(samples.size() - 1).seconds();
    long warmUp = Math.min(WARM_UP, end / 2);
    long slice = Math.max(1, Math.min(SLICE, (end - warmUp) / 2));
    List<MemorySoak.Sample> warm = samples.stream().filter(s -> s.seconds() >= warmUp).toList();
    LongSummaryStatistics medians =
        warm.stream()
            .collect(Collectors.groupingBy(s -> Math.min(s.seconds(), end - 1) / slice))
            .values()
            .stream()
            .mapToLong(SoakResult::median)
            .summaryStatistics();
    long peak = warm.stream().mapToLong(MemorySoak.Sample::bytes).max().orElseThrow();
    return new SoakResult(medians.getMin(), medians.getMax(), peak);
  }

  private static long median(List<MemorySoak.Sample> slice) {
    long[] sorted = slice.stream().mapToLong(MemorySoak.Sample::bytes).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  double spread() {
    return (double) (most - least) / least;
  }

  boolean isFlat() {
    return spread() <= FLAT;
  }

  static String csv(List<MemorySoak.Sample> samples) {
    StringBuilder csv = new StringBuilder("seconds,resident bytes\n");
    samples.forEach(s -> csv.append(s.seconds()).append(',').append(s.bytes()).append('\n'));
    return csv.toString();
  }
}
