package dev.unseen.lab.frontier;

import dev.unseen.lab.paper.Progress;
import dev.unseen.lab.paper.RunLog;
import dev.unseen.lab.rival.Arena;
import dev.unseen.lab.rival.Contestant;
import dev.unseen.lab.rival.ContestantFamily;
import dev.unseen.lab.rival.Setting;
import dev.unseen.lab.trial.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs every setting of every family on every ground; what the log has is not run again. */
public final class Sweep {
  private final RunLog log;
  private final long seed;
  private final List<Trial> trials = new ArrayList<>();
  private final List<Ground> grounds;

  /** One setting on one ground, for the so-manieth time. */
  private record Trial(Ground ground, Setting setting, int repeat, String id) {}

  /** Of these families on these grounds. */
  public Sweep(List<Ground> grounds, List<ContestantFamily> families, long seed, RunLog log) {
    this.grounds = List.copyOf(grounds);
    this.log = log;
    this.seed = seed;
    for (Ground ground : grounds) {
      for (int repeat = 0; repeat < ground.repeats(); repeat++) {
        Arena arena = Arena.of(ground.memoryBytes(), ground.stream().distinct(), seed + repeat);
        for (ContestantFamily family : families) {
          for (Setting setting : family.settings(arena)) {
            trials.add(new Trial(ground, setting, repeat, id(ground, setting, repeat)));
          }
        }
      }
    }
  }

  private String id(Ground ground, Setting setting, int repeat) {
    return "%s memory=%d seed=%d repeat=%d %s"
        .formatted(ground.stream().id(), ground.memoryBytes(), seed, repeat, setting.describe());
  }

  /** Runs what is not finished, on so many threads. */
  public void run(int threads, Progress progress) throws IOException, InterruptedException {
    List<Trial> open = trials.stream().filter(t -> log.get(t.id) == null).toList();
    long records = open.stream().mapToLong(t -> t.ground.stream().records()).sum();
    progress.start(trials.size(), trials.size() - open.size(), records);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (Trial trial : open) {
        futures.add(
            pool.submit(
                () -> {
                  run(trial, progress);
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      if (e.getCause() instanceof IllegalArgumentException argument) {
        throw argument;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private void run(Trial trial, Progress progress) throws IOException {
    progress.begin(trial.setting.describe());
    Contestant contestant = trial.setting.build();
    Tally tally = trial.ground.stream().run(contestant, trial.repeat, progress::records);
    if (contestant.memoryBytes() > trial.ground.memoryBytes()) {
      throw new IllegalStateException(
          "%s takes %d bytes, more than the %d of all"
              .formatted(
                  trial.setting.describe(), contestant.memoryBytes(), trial.ground.memoryBytes()));
    }
    log.add(trial.id, List.of(tally));
    progress.end(trial.setting.describe() + " on " + trial.ground.stream().name());
  }

  /** What came out, ground by ground. */
  public List<GroundResult> results() {
    return grounds.stream().map(ground -> GroundResult.of(ground, points(ground))).toList();
  }

  /** One for each setting, its repeats added up. */
  private List<Point> points(Ground ground) {
    Map<String, Point> points = new LinkedHashMap<>();
    for (Trial t : trials) {
      if (t.ground.equals(ground)) {
        points.merge(
            t.setting.describe(),
            new Point(t.setting.family(), t.setting.parameters(), log.get(t.id).get(0), false),
            Point::plus);
      }
    }
    return List.copyOf(points.values());
  }
}
