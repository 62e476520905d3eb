package dev.unseen.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs all contestants of one scenario, each in its own process, alternating round after round.
 * Anything that slows the machine for a while slows all of them alike.
 *
 * <p>If memory is too small for all at once, they run in several heats, each with the limits. The
 * times of a later heat are scaled so that its limit of one line equals that of the first.
 */
final class Race {
  /**
   * The number of rounds that do not count. Filling has warmed everything up, but other keys may
   * use other paths of the code.
   */
  private static final int WARM_UP = 4;

  private final Java java;
  private final Scenario scenario;
  private final int records;
  private final int rounds;
  private final PrintWriter err;
  private double fillSeconds;
  private double raceSeconds;

  /**
   * Creates a race.
   *
   * @param records the number of records in each round
   * @param rounds the number of rounds that count
   */
  Race(Java java, Scenario scenario, int records, int rounds, PrintWriter err) {
    this.java = java;
    this.scenario = scenario;
    this.records = records;
    this.rounds = rounds;
    this.err = err;
  }

  /** Runs the heats. Returns one result per entry, in order. */
  List<Result> run(List<Entry> entries, Heats heats) throws IOException {
    Map<String, Result> results = new LinkedHashMap<>();
    double firstLimit = Double.NaN;
    for (List<Entry> heat : heats.all()) {
      List<Result> times = heat(heat);
      double limit = limitOfOne(times);
      firstLimit = Double.isNaN(firstLimit) ? limit : firstLimit;
      double scale = heats.all().size() == 1 ? 1 : firstLimit / limit;
      times.forEach(result -> results.putIfAbsent(result.name(), result.scaled(scale)));
    }
    return entries.stream().map(entry -> results.get(entry.name())).toList();
  }

  private static double limitOfOne(List<Result> results) {
    return results.stream()
        .filter(result -> result.role() == EntryRole.LIMIT && result.round().lines() == 1)
        .mapToDouble(Result::nanos)
        .findFirst()
        .orElse(Double.NaN);
  }

  private List<Result> heat(List<Entry> entries) throws IOException {
    List<Racer> racers = new ArrayList<>();
    try {
      long startedAt = System.nanoTime();
      fill(entries, racers);
      long filledAt = System.nanoTime();
      Map<Racer, List<Racer.Round>> times = new LinkedHashMap<>();
      racers.forEach(racer -> times.put(racer, new ArrayList<>()));
      for (int round = -WARM_UP; round < rounds; round++) {
        show(round < 0 ? "warming up" : "round %d of %d".formatted(round + 1, rounds));
        for (Racer racer : racers) {
          Racer.Round time = racer.round();
          if (round >= 0) {
            times.get(racer).add(time);
          }
        }
      }
      fillSeconds += (filledAt - startedAt) / 1e9;
      raceSeconds += (System.nanoTime() - filledAt) / 1e9;
      return racers.stream().map(racer -> Result.of(racer, scenario, times.get(racer))).toList();
    } finally {
      racers.forEach(Racer::close);
    }
  }

  String took() {
    return String.format(
        Locale.ROOT, "Filled in %.0f s, measured in %.0f s.", fillSeconds, raceSeconds);
  }

  /** Shows the progress in one line on a terminal, and nothing elsewhere. */
  private void show(String what) {
    if (Boolean.getBoolean("bench.terminal")) { // set by the launcher; Java 17 cannot find out
      err.print("\r\u001b[K" + what + "...\r");
      err.flush();
    }
  }

  /** Starts and fills all contestants, as many at once as there are processors. */
  private void fill(List<Entry> entries, List<Racer> racers) throws IOException {
    int ahead = Runtime.getRuntime().availableProcessors();
    for (int i = 0; i < entries.size(); i++) {
      while (racers.size() < Math.min(i + ahead, entries.size())) {
        racers.add(new Racer(java, entries.get(racers.size()), scenario, records));
      }
      show("filling " + entries.get(i).name());
      racers.get(i).awaitFilled();
    }
  }
}
