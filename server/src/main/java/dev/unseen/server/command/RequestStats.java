package dev.unseen.server.command;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts requests by command and by the time they took, and errors by their code. */
public final class RequestStats {
  /** The codes that errors are counted by. All others count as ERR. */
  private static final List<String> CODES =
      List.of(
          "ERR",
          "OOM",
          "MISCONF",
          "NOAUTH",
          "WRONGPASS",
          "NOPERM",
          "WRONGTYPE",
          "TOOLATE",
          "NORESERVATION",
          "RESERVATIONLIMIT");

  private static final List<Double> BOUNDS = // in seconds
      List.of(1e-5, 2.5e-5, 1e-4, 2.5e-4, 1e-3, 2.5e-3, 1e-2, 2.5e-2, 0.1, 0.25, 1.0, 2.5);

  private static final long[] BOUND_NANOS =
      BOUNDS.stream().mapToLong(seconds -> Math.round(seconds * 1e9)).toArray();

  /** The calls of a command, and the time that they took. */
  private static final class Calls {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();
  }

  private final LongAdder[] buckets =
      Stream.generate(LongAdder::new).limit(BOUNDS.size() + 1L).toArray(LongAdder[]::new);
  private final LongAdder nanos = new LongAdder();
  private final Map<String, Calls> byCommand = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();

  /**
   * Counts requests that were decided together.
   *
   * @param took the nanoseconds until all were decided, which each of them took
   */
  void add(String command, long took, int count) {
    int bucket = Arrays.binarySearch(BOUND_NANOS, took);
    buckets[bucket < 0 ? -bucket - 1 : bucket].add(count);
    nanos.add(took * count);
    Calls calls = byCommand.get(command);
    if (calls == null) {
      calls = byCommand.computeIfAbsent(command, key -> new Calls());
    }
    calls.count.add(count);
    calls.nanos.add(took);
  }

  /** Counts an error reply, such as {@code OOM filter 'f' needs 1 GiB}. */
  public void failed(String error) {
    String code = error.substring(0, Math.max(0, error.indexOf(' ')));
    errors
        .computeIfAbsent(CODES.contains(code) ? code : CODES.get(0), key -> new LongAdder())
        .increment();
  }

  /** Returns the number of errors of each code, also of those that have not occurred. */
  public Map<String, Long> errors() {
    Map<String, Long> all = new LinkedHashMap<>();
    CODES.forEach(code -> all.put(code, errors.containsKey(code) ? errors.get(code).sum() : 0));
    return Collections.unmodifiableMap(all);
  }

  /** Returns how many requests took at most each of some times, in seconds. */
  public SortedMap<Double, Long> requestsWithin() {
    SortedMap<Double, Long> all = new TreeMap<>();
    long sum = 0;
    for (int i = 0; i <= BOUNDS.size(); i++) {
      sum += buckets[i].sum();
      all.put(i == BOUNDS.size() ? Double.POSITIVE_INFINITY : BOUNDS.get(i), sum);
    }
    return all;
  }

  /** Returns the time that all requests took together, in seconds. */
  public double seconds() {
    return nanos.sum() / 1e9;
  }

  /** Returns the lines of INFO commandstats, without {@code cmdstat_}. */
  Map<String, String> commandLines() {
    Map<String, String> lines = new TreeMap<>();
    byCommand.forEach(
        (command, calls) -> {
          double micros = calls.nanos.sum() / 1e3;
          long count = Math.max(1, calls.count.sum());
          lines.put(
              command.toLowerCase(Locale.ROOT),
              String.format(
                  Locale.ROOT,
                  "calls=%d,usec=%.0f,usec_per_call=%.2f",
                  count,
                  micros,
                  micros / count));
        });
    return lines;
  }
}
