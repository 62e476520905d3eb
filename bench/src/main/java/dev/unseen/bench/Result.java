package dev.unseen.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The result of one contestant.
 *
 * @param memoryBytes its memory in bytes, which may be less than the scenario offers
 * @param round its last round, with the medians of the times of all
 */
record Result(Entry entry, Scenario scenario, long memoryBytes, Racer.Round round) {
  static Result of(Racer racer, Scenario scenario, List<Racer.Round> rounds) {
    Racer.Round last = rounds.get(rounds.size() - 1);
    Racer.Round median =
        new Racer.Round(
            median(rounds, Racer.Round::nanos),
            median(rounds, Racer.Round::wallNanos),
            last.admitted(),
            last.load(),
            last.lines());
    return new Result(racer.entry(), scenario, racer.memoryBytes(), median);
  }

  Result scaled(double factor) {
    return new Result(entry, scenario, memoryBytes, round.scaled(factor));
  }

  String name() {
    return entry.name();
  }

  EntryRole role() {
    return entry.role();
  }

  /** Returns the nanoseconds of CPU time per record. */
  double nanos() {
    return round.nanos();
  }

  /** Returns the speed in million records per second. */
  double mops() {
    return 1e3 / nanos();
  }

  /** Returns the wall-clock time, which other processes make longer, divided by the CPU time. */
  double wallToCpu() {
    return round.wallNanos() / round.nanos();
  }

  private static double median(List<Racer.Round> rounds, ToDoubleFunction<Racer.Round> value) {
    double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
