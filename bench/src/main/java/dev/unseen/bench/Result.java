package dev.unseen.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What was measured of one contestant.
 *
 * @param memoryBytes what it has, which may be less than the scenario offers
 * @param nanos of the processor for a record, the median of the rounds
 * @param wallNanos the same by the clock on the wall, which other processes slow
 * @param admitted the share of the records that were taken for new, in the last round
 * @param load after the last round
 * @param lines the cache lines that a record touches on average
 */
record Result(
    String name,
    EntryRole role,
    Scenario scenario,
    long memoryBytes,
    double nanos,
    double wallNanos,
    double admitted,
    double load,
    double lines) {
  /** Of a contestant's rounds. */
  static Result of(Racer racer, Scenario scenario, List<Racer.Round> rounds) {
    Racer.Round last = rounds.get(rounds.size() - 1);
    return new Result(
        racer.entry().name(),
        racer.entry().role(),
        scenario,
        racer.memoryBytes(),
        median(rounds, Racer.Round::nanos),
        median(rounds, Racer.Round::wallNanos),
        last.admitted(),
        last.load(),
        last.lines());
  }

  /** The same with its times multiplied. */
  Result scaled(double factor) {
    return new Result(
        name,
        role,
        scenario,
        memoryBytes,
        nanos * factor,
        wallNanos * factor,
        admitted,
        load,
        lines);
  }

  /** Million records a second. */
  double mops() {
    return 1e3 / nanos;
  }

  private static double median(List<Racer.Round> rounds, ToDoubleFunction<Racer.Round> value) {
    double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
