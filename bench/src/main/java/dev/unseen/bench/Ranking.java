package dev.unseen.bench;

import java.util.List;
import java.util.TreeMap;

/** The results of one scenario, compared with the best peer and with the limit. */
final class Ranking {
  private final List<Result> results;
  private final double bestPeer;
  private final double plainLoop;
  private final TreeMap<Double, Double> limits = new TreeMap<>(); // nanoseconds by lines

  Ranking(List<Result> results) {
    this.results = List.copyOf(results);
    this.bestPeer =
        results.stream()
            .filter(result -> result.role() == EntryRole.APPROXIMATE_PEER)
            .mapToDouble(Result::mops)
            .max()
            .orElse(Double.NaN);
    this.plainLoop =
        results.stream()
            .filter(result -> result.role() == EntryRole.PLAIN_LOOP)
            .mapToDouble(Result::mops)
            .findFirst()
            .orElse(Double.NaN);
    for (Result result : results) {
      if (result.role() == EntryRole.LIMIT) {
        limits.put(result.round().lines(), result.nanos());
      }
    }
  }

  List<Result> results() {
    return results;
  }

  /** Returns the speed as a multiple of that of the fastest approximate peer; NaN if none ran. */
  double vsBestPeer(Result result) {
    return result.mops() / bestPeer;
  }

  /** Returns the speed as a share of that of the plain loop; NaN if it did not run. */
  double vsPlainLoop(Result result) {
    return result.mops() / plainLoop;
  }

  /**
   * Returns the speed as a share of the limit. For our filters it is the limit with the same number
   * of lines; for peers it is the limit with one line. Between two measured limits the time is
   * interpolated.
   */
  double vsLimit(Result result) {
    double lines =
        result.role() == EntryRole.OURS || result.role() == EntryRole.LIMIT
            ? result.round().lines()
            : 1;
    var below = limits.floorEntry(lines);
    var above = limits.ceilingEntry(lines);
    if (below == null || above == null) {
      return Double.NaN;
    }
    double span = above.getKey() - below.getKey();
    double part = span == 0 ? 0 : (lines - below.getKey()) / span;
    double nanos = below.getValue() + part * (above.getValue() - below.getValue());
    return nanos / result.nanos();
  }

  /** Returns how much longer the wall-clock time was than the CPU time, at worst. */
  double busy() {
    return results.stream().mapToDouble(Result::wallToCpu).max().orElse(1);
  }
}
