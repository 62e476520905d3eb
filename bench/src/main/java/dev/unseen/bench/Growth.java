package dev.unseen.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Measures the cost of a record for RECENCY in batches, as the memory or the stream grows. */
final class Growth {
  /** The first point of a stream, in records. Each following point is ten times as far. */
  static final long FIRST = 1_000_000;

  private static final Entry OURS = Entry.named("recency batch");
  private static final Entry LIMIT = Entry.named("limit of 1 line");

  /** On a long stream the limit runs only once in this number of rounds. */
  private static final int LIMIT_EVERY = 8;

  private final Java java;
  private final int round;
  private final boolean hugePages;
  private final Consumer<String> log;

  /**
   * Creates a measurement.
   *
   * @param round the number of records in a round
   * @param log receives messages about the progress
   */
  Growth(Java java, int round, boolean hugePages, Consumer<String> log) {
    this.java = java;
    this.round = round;
    this.hugePages = hugePages;
    this.log = log;
  }

  /**
   * A row of a table.
   *
   * @param records the number of records before its last round, on a stream that began empty; 0 if
   *     the filter was filled first
   * @param why the reason why it was not measured; else null
   */
  record Point(
      long memoryBytes, long records, double nanos, double limitNanos, double load, String why) {
    double ratio() {
      return limitNanos / nanos;
    }
  }

  /** Measures a filled filter of this size. */
  Point ofMemory(long bytes, int rounds) throws IOException {
    Scenario scenario = scenario(bytes, true);
    Heats heats = new Heats(List.of(OURS, LIMIT), scenario, Machine.freeBytes());
    if (heats.tooSmall() != null) {
      return new Point(bytes, 0, Double.NaN, Double.NaN, Double.NaN, heats.tooSmall());
    }
    List<Result> results =
        new Race(java, scenario, round, rounds, log).run(List.of(OURS, LIMIT), heats);
    Result ours = results.get(0);
    return new Point(bytes, 0, ours.nanos(), results.get(1).nanos(), ours.load(), null);
  }

  /** Measures along a stream. Each point covers the rounds since the one before. */
  void ofStream(long bytes, long records, Consumer<Point> points) throws IOException {
    Scenario scenario = scenario(bytes, false);
    try (Racer ours = new Racer(java, OURS, scenario, round);
        Racer limit = new Racer(java, LIMIT, scenario, round)) {
      ours.awaitFilled();
      limit.awaitFilled();
      List<Racer.Round> times = new ArrayList<>();
      List<Racer.Round> limits = new ArrayList<>();
      long next = FIRST;
      long done = 0;
      while (next <= records) {
        log.accept("%,d of %,d million records".formatted(done / 1_000_000, records / 1_000_000));
        if (times.size() % LIMIT_EVERY == 0) {
          limits.add(limit.round());
        }
        times.add(ours.round());
        done += round;
        if (done >= next) {
          Result time = Result.of(ours, scenario, times);
          double limitNanos = Result.of(limit, scenario, limits).nanos();
          points.accept(new Point(bytes, next, time.nanos(), limitNanos, time.load(), null));
          times.clear();
          limits.clear();
          next *= 10;
        }
      }
    }
  }

  private Scenario scenario(long bytes, boolean filled) {
    return new Scenario(bytes, 0.5, filled, hugePages, 1, false);
  }
}
