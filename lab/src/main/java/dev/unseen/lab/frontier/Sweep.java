package dev.unseen.lab.frontier;

import dev.unseen.lab.rival.Arena;
import dev.unseen.lab.rival.Contestant;
import dev.unseen.lab.rival.ContestantFamily;
import dev.unseen.lab.rival.Setting;
import dev.unseen.lab.trial.RunLog;
import dev.unseen.lab.trial.RunPool;
import dev.unseen.lab.trial.RunProgress;
import dev.unseen.lab.trial.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs every setting of every family on every ground. Runs that are in the log are not run again.
 */
public final class Sweep {
  private final RunLog log;
  private final List<Trial> trials = new ArrayList<>();
  private final List<Ground> grounds;

  private final long seed;

  /** One setting on one ground, which is run once per repeat with a different seed. */
  private record Trial(Ground ground, Setting setting, String id) {}

  /**
   * Creates a sweep of these families on these grounds.
   *
   * @param minFpr settings with a lower expected false positive rate are left out
   * @param maxFpr settings with a higher expected false positive rate are left out
   */
  public Sweep(
      List<Ground> grounds,
      List<ContestantFamily> families,
      double minFpr,
      double maxFpr,
      long seed,
      RunLog log) {
    this.grounds = List.copyOf(grounds);
    this.seed = seed;
    this.log = log;
    for (Ground ground : grounds) {
      Arena arena = new Arena(ground.memoryBytes(), minFpr, maxFpr);
      for (ContestantFamily family : families) {
        for (Setting setting : family.settings(arena)) {
          trials.add(new Trial(ground, setting, id(ground, setting, seed)));
        }
      }
    }
  }

  private static String id(Ground ground, Setting setting, long seed) {
    return "%s memory=%d seed=%d repeats=%d %s"
        .formatted(
            ground.stream().id(), ground.memoryBytes(), seed, ground.repeats(), setting.describe());
  }

  /** Forgets the finished runs of these families, so that they run again. */
  public void runAgain(List<ContestantFamily> families) throws IOException {
    log.forget(
        trials.stream()
            .filter(trial -> families.contains(trial.setting().family()))
            .map(Trial::id)
            .collect(Collectors.toSet()));
  }

  /** Runs everything that is not finished, on this number of threads. */
  public void run(int threads, RunProgress progress) throws IOException, InterruptedException {
    List<Trial> open = trials.stream().filter(t -> log.get(t.id) == null).toList();
    long records =
        open.stream().mapToLong(t -> t.ground.stream().records() * t.ground.repeats()).sum();
    progress.start(trials.size(), trials.size() - open.size(), records);
    RunPool.run(threads, open, trial -> run(trial, progress));
  }

  private void run(Trial trial, RunProgress progress) throws IOException {
    String name = trial.setting().describe();
    List<Tally> runs = new ArrayList<>();
    for (int repeat = 0; repeat < trial.ground.repeats(); repeat++) {
      Contestant contestant = trial.setting.build(seed + repeat);
      runs.add(trial.ground.stream().run(contestant, repeat, progress::records));
      if (contestant.memoryBytes() > trial.ground.memoryBytes()) {
        throw new IllegalStateException(
            "%s takes %d bytes, more than the %d of all"
                .formatted(name, contestant.memoryBytes(), trial.ground.memoryBytes()));
      }
    }
    log.add(trial.id, runs);
    progress.end(name + " on " + trial.ground.stream().name());
  }

  public List<GroundResult> results() {
    return grounds.stream().map(ground -> new GroundResult(ground, points(ground))).toList();
  }

  private List<Point> points(Ground ground) {
    return trials.stream()
        .filter(t -> t.ground.equals(ground))
        .map(t -> Point.of(t.setting(), log.get(t.id)))
        .toList();
  }
}
