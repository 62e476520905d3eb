package dev.unseen.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The result of one contestant.
 *
 * @param memoryBytes its memory in bytes, which may be less than the scenario offers
 * @param nanos the nanoseconds of CPU time per record, the median of the rounds
 * @param wallNanos the nanoseconds of wall-clock time per record, which other processes slow
 * @param admitted the share of the records that were treated as new, in the last round
 * @param load the load after the last round
 * @param lines the average number of cache lines that a record touches
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

  /** Returns the speed in million records per second. */
  double mops() {
    return 1e3 / nanos;
  }

  private static double median(List<Racer.Round> rounds, ToDoubleFunction<Racer.Round> value) {
    double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
