package dev.unseen.flink.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;

/**
 * Looks at how fast records pass, ten times a second, and compares the moments while a checkpoint
 * is written with those before and after.
 */
final class Pulse implements MapFunction<String, String> {
  private static final long serialVersionUID = 1;
  private static final long STEP_MILLIS = 100;
  private static final long AROUND_MILLIS = 3000;
  private static final AtomicLong COUNT = new AtomicLong();

  private static final List<long[]> SAMPLES = new ArrayList<>(); // time, records so far

  @Override
  public String map(String id) {
    COUNT.lazySet(COUNT.getPlain() + 1); // one task writes
    return id;
  }

  static Thread start() {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  SAMPLES.add(new long[] {System.currentTimeMillis(), COUNT.get()});
                  Thread.sleep(STEP_MILLIS);
                }
              } catch (InterruptedException e) {
                // the end
              }
            });
    thread.start();
    return thread;
  }

  /** Writes all samples to a file, and prints the rates around checkpoints. */
  static void report(Iterable<AbstractCheckpointStats> checkpoints, Path file) throws Exception {
    List<long[]> spans = new ArrayList<>();
    for (AbstractCheckpointStats each : checkpoints) {
      if (each instanceof CompletedCheckpointStats done) {
        long begin = done.getTriggerTimestamp();
        spans.add(new long[] {begin, begin + done.getEndToEndDuration()});
      }
    }
    LongPredicate during = time -> spans.stream().anyMatch(s -> time > s[0] && time <= s[1]);
    LongPredicate before =
        time ->
            !during.test(time)
                && spans.stream().anyMatch(s -> time <= s[0] && time > s[0] - AROUND_MILLIS);
    LongPredicate after =
        time ->
            !during.test(time)
                && spans.stream().anyMatch(s -> time > s[1] && time <= s[1] + AROUND_MILLIS);
    StringBuilder csv = new StringBuilder("ms,records_a_second,in_checkpoint\n");
    for (int i = 1; i < SAMPLES.size(); i++) {
      long time = SAMPLES.get(i)[0];
      csv.append(
          String.format(
              Locale.ROOT,
              "%d,%d,%d%n",
              time - SAMPLES.get(0)[0],
              rate(i),
              during.test(time) ? 1 : 0));
    }
    Files.writeString(file, csv);
    System.err.printf(
        Locale.ROOT,
        "%d checkpoints; records a second, median (lowest tenth of a second): before %s, during %s, after %s%n",
        spans.size(),
        rates(before),
        rates(during),
        rates(after));
  }

  private static long rate(int i) {
    long[] now = SAMPLES.get(i);
    long[] last = SAMPLES.get(i - 1);
    return (now[1] - last[1]) * 1000 / Math.max(1, now[0] - last[0]);
  }

  private static String rates(LongPredicate when) {
    long[] rates = new long[SAMPLES.size()];
    int count = 0;
    for (int i = 1; i < SAMPLES.size(); i++) {
      if (when.test(SAMPLES.get(i)[0])) {
        rates[count++] = rate(i);
      }
    }
    Arrays.sort(rates, 0, count);
    return count == 0
        ? "none"
        : String.format(Locale.ROOT, "%,d (%,d)", rates[count / 2], rates[0]);
  }
}
