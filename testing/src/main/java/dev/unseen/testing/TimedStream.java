package dev.unseen.testing;

import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Records with times in a drawn order, and an exact model of what a window of event time has to do
 * with them.
 *
 * <pre>
 * d = distance of a record's time to the nearest time at which its key was remembered
 * d at least the window:                          it must be admitted
 * d at most 7/8 of the window, and not too late:  it must be rejected
 * otherwise:                                      both are right
 * </pre>
 *
 * <p>A record is late by the distance of its time to the latest time so far, of any key. A part of
 * a filter that has seen only some of the keys may know an earlier latest time, so a record that is
 * later than the lateness allows may or may not be checked, and remembered.
 */
public final class TimedStream {
  private static final int RECORDS = 300;
  private static final int STEPS = 8; // of a window

  /**
   * A record.
   *
   * @param id its place in the stream
   * @param millis its time, which no other record has
   */
  public record Timed(int id, String key, long millis) {}

  private final long window;
  private final long lateness;
  private final boolean refreshes;
  private final List<Timed> records;
  private final Map<String, List<Long>> remembered = new HashMap<>();
  private final Map<String, List<Long>> perhaps = new HashMap<>(); // times that may be remembered
  private long latest = Long.MIN_VALUE;

  private TimedStream(long window, long lateness, boolean refreshes, List<Timed> records) {
    this.window = window;
    this.lateness = lateness;
    this.refreshes = refreshes;
    this.records = records;
  }

  /**
   * Draws a window, a lateness and records, some of which are later than the lateness allows.
   *
   * @param start the time at which the stream begins, in milliseconds since 1970
   */
  public static TimedStream drawn(Choices choices, long start) {
    long window = choices.draw("window", longs(80, 5000));
    long lateness = choices.draw("lateness", longs(window / 8, 3 * window));
    boolean refreshes = choices.draw("refreshes", booleans());
    int keys = choices.draw("keys", ints(10, 40));
    SplittableRandom random = new SplittableRandom(choices.draw("seed", longs()));
    List<Timed> records = new ArrayList<>();
    Set<Long> taken = new HashSet<>();
    long clock = start;
    for (int id = 0; id < RECORDS; id++) {
      clock += 1 + random.nextLong(random.nextInt(10) == 0 ? window : window / 10);
      long late = random.nextInt(3) == 0 ? 0 : random.nextLong(lateness);
      long tooLate = random.nextInt(20) == 0 ? lateness + random.nextLong(5 * window) : 0;
      long time = Math.max(start, clock - Math.max(late, tooLate));
      while (!taken.add(time)) {
        time++;
      }
      clock = Math.max(clock, time);
      records.add(new Timed(id, "k" + random.nextInt(keys), time));
    }
    return new TimedStream(window, lateness, refreshes, records);
  }

  /** Returns the same records in the order of their times, as a batch job reads them. */
  public TimedStream byTime() {
    List<Timed> sorted = new ArrayList<>(records);
    sorted.sort(Comparator.comparingLong(Timed::millis));
    return new TimedStream(window, lateness, refreshes, sorted);
  }

  /** Returns the same records, for a filter in which a duplicate always renews its key. */
  public TimedStream refreshing() {
    return new TimedStream(window, lateness, true, records);
  }

  public long window() {
    return window;
  }

  /** Returns by how many milliseconds a record may be late. */
  public long lateness() {
    return lateness;
  }

  public boolean refreshes() {
    return refreshes;
  }

  public List<Timed> records() {
    return records;
  }

  /**
   * Compares what became of all records with the model.
   *
   * @param admitted whether a record was let through
   * @throws AssertionError if a new record was lost, or a duplicate passed
   */
  public void check(Predicate<Timed> admitted) {
    for (Timed record : records) {
      check(record, admitted.test(record));
    }
  }

  /** Compares what became of the next record with the model. */
  public void check(Timed record, boolean admitted) {
    latest = Math.max(latest, record.millis());
    boolean late = latest - record.millis() > lateness;
    List<Long> sure = remembered.computeIfAbsent(record.key(), key -> new ArrayList<>());
    List<Long> unsure = perhaps.computeIfAbsent(record.key(), key -> new ArrayList<>());
    long nearest = distance(sure, record.millis());
    if (!admitted && Math.min(nearest, distance(unsure, record.millis())) >= window) {
      throw new AssertionError("%s is new and was lost; %s".formatted(record, describe(nearest)));
    }
    if (admitted && !late && nearest <= window - (window + STEPS - 1) / STEPS) {
      throw new AssertionError(
          "%s is a duplicate and passed; %s".formatted(record, describe(nearest)));
    }
    if (admitted || refreshes) {
      (late ? unsure : sure).add(record.millis());
    }
  }

  private String describe(long nearest) {
    return "its key was seen %s ms away, the window is %d ms, the lateness %d ms, the latest time %d"
        .formatted(nearest == Long.MAX_VALUE ? "never" : nearest, window, lateness, latest);
  }

  private static long distance(List<Long> times, long millis) {
    return times.stream().mapToLong(time -> Math.abs(time - millis)).min().orElse(Long.MAX_VALUE);
  }
}
