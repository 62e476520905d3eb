package dev.unseen.server.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Keeps the new items and duplicates of each filter for each second of the last hour. */
public final class Traffic {
  public static final int SECONDS = 3600;

  private static final int AVERAGED = 300; // seconds

  /** The bytes per filter, which count as a part of its memory. */
  public static final long BYTES = 2L * SECONDS * Integer.BYTES + 256;

  /**
   * The traffic of a filter in one second.
   *
   * @param fresh the number of new items
   * @param duplicates the number of duplicates
   */
  public record Second(int fresh, int duplicates) {}

  private static final class Line {
    private final int[] fresh = new int[SECONDS];
    private final int[] duplicates = new int[SECONDS];
    private long records;
    private long admitted;
    private int seconds; // since its first count, up to AVERAGED
  }

  private final Map<Long, Line> lines = new HashMap<>(); // by the number of the filter
  private int next;

  /** Adds the counts of the last second. */
  public synchronized void tick(Keyspace keyspace) {
    Set<Long> live = new HashSet<>();
    for (ServedFilter filter : keyspace.all()) {
      live.add(filter.id());
      Line line = lines.get(filter.id());
      long[] counts = filter.counts();
      if (line == null) {
        line = new Line();
        lines.put(filter.id(), line);
      } else {
        int fresh = (int) Math.max(0, counts[1] - line.admitted);
        line.fresh[next] = fresh;
        line.seconds = Math.min(AVERAGED, line.seconds + 1);
        line.duplicates[next] = (int) Math.max(0, counts[0] - line.records - fresh);
      }
      line.records = counts[0];
      line.admitted = counts[1];
    }
    lines.keySet().retainAll(live);
    next = (next + 1) % SECONDS;
  }

  /** Returns the new items of a filter per second, over the last five minutes or less. */
  public synchronized double newPerSecond(ServedFilter filter) {
    Line line = lines.get(filter.id());
    if (line == null || line.seconds == 0) {
      return 0;
    }
    long sum = 0;
    for (int i = 1; i <= line.seconds; i++) {
      sum += line.fresh[(next + SECONDS - i) % SECONDS];
    }
    return (double) sum / line.seconds;
  }

  /** Returns the traffic of a filter in the last second that has passed. */
  public synchronized Second lastOf(ServedFilter filter) {
    Line line = lines.get(filter.id());
    int last = (next + SECONDS - 1) % SECONDS;
    return line == null ? new Second(0, 0) : new Second(line.fresh[last], line.duplicates[last]);
  }

  /**
   * Adds the traffic of a filter in each second to sums. The last one is that of the last second
   * that has passed.
   */
  public synchronized void addTo(ServedFilter filter, int[] fresh, int[] duplicates) {
    Line line = lines.get(filter.id());
    for (int i = 0; line != null && i < SECONDS; i++) {
      fresh[i] += line.fresh[(next + i) % SECONDS];
      duplicates[i] += line.duplicates[(next + i) % SECONDS];
    }
  }
}
