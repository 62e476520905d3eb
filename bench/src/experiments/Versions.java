import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Compares the speed of RECENCY in two versions of the core: see bench/versions. This file is
 * compiled with each version, so it uses only what both have.
 */
final class Versions {
  private static final int RECORDS = 1 << 18; // of a round
  private static final int BATCH = 1024;
  private static final int WARM_UP = 3; // rounds
  private static final long LEAST_KEYS = 1 << 24; // before the first round, so that all is compiled
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final DuplicateFilter filter;
  private final boolean batches;
  private final double duplicates;
  private final double keysPerDay; // 0 without a window
  private final int reach; // of a duplicate, in keys
  private final SplittableRandom random = new SplittableRandom(1);
  private final long[] hashes = new long[RECORDS];
  private final long[] fresh = new long[BATCH / Long.SIZE];
  private long keys;

  private Versions(long bytes, double bytesPerKey, boolean batches, double duplicates) {
    FilterSpec.Builder spec = FilterSpec.builder(FilterKind.RECENCY, bytes).seed(0);
    if (bytesPerKey > 0) {
      spec.window(Window.time(Duration.ofDays(1)));
    }
    this.filter = spec.build().build();
    this.batches = batches;
    this.duplicates = duplicates;
    this.keysPerDay = bytesPerKey > 0 ? bytes / bytesPerKey : 0;
    this.reach = (int) Math.min(1 << 20, bytes / 8);
    long enough = keysPerDay > 0 ? (long) (3 * keysPerDay) : bytes * 3 / 4;
    while (keys < Math.max(enough, LEAST_KEYS)) {
      round();
    }
  }

  /** Runs a round. Returns its CPU time in nanoseconds. */
  private long round() {
    long before = keys;
    for (int i = 0; i < RECORDS; i++) {
      boolean again = keys > reach && random.nextDouble() < duplicates;
      hashes[i] = hash(again ? keys - 1 - random.nextInt(reach) : keys++);
    }
    var thread = ManagementFactory.getThreadMXBean();
    long startedAt = thread.getCurrentThreadCpuTime();
    for (int i = 0; i < RECORDS; i += BATCH) {
      if (keysPerDay > 0) {
        double days = 1000 + (before + (double) (keys - before) * i / RECORDS) / keysPerDay;
        filter.advanceTo((long) (days * DAY));
      }
      admit(i);
    }
    return thread.getCurrentThreadCpuTime() - startedAt;
  }

  private void admit(int from) {
    if (batches) {
      filter.admitAll(hashes, from, BATCH, fresh);
      return;
    }
    for (int i = from; i < from + BATCH; i++) {
      filter.admit(hashes[i]);
    }
  }

  private static long hash(long number) {
    long x = number * 0x9E3779B97F4A7C15L;
    x = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
    return x ^ (x >>> 32);
  }

  /** The process of one version, which runs one round per line of its input. */
  private record Racer(Process process, BufferedReader answers, Writer questions) {
    static Racer start(String classes, double mib, double bytesPerKey, String[] rest)
        throws IOException {
      List<String> command =
          List.of(
              "java", "-Xmx" + (int) (mib + 100) + "m", "-cp", classes, "Versions", "work",
              "" + (long) (mib * (1 << 20)), "" + bytesPerKey, rest[2], rest[3]);
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new Racer(process, process.inputReader(UTF_8), process.outputWriter(UTF_8));
    }

    double round() throws IOException {
      questions.write("round\n");
      questions.flush();
      return Double.parseDouble(answers.readLine()) / RECORDS;
    }
  }

  private static double median(List<Double> all) {
    return all.stream().sorted().toList().get(all.size() / 2);
  }

  public static void main(String[] args) throws Exception {
    if (args[0].equals("work")) {
      Versions work =
          new Versions(
              Long.parseLong(args[1]),
              Double.parseDouble(args[2]),
              Boolean.parseBoolean(args[3]),
              Double.parseDouble(args[4]));
      BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
      while (in.readLine() != null) {
        System.out.println(work.round());
      }
      return;
    }
    System.out.println("MiB,bytes per key,batches,duplicates: ns per record, and relative speed");
    for (int i = 4; i < args.length; i++) {
      race(args[0], args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]), args[i]);
    }
  }

  private static void race(String old, String now, int processes, int rounds, String of)
      throws Exception {
    String[] parts = of.split(",");
    double mib = Double.parseDouble(parts[0]);
    double bytesPerKey = Double.parseDouble(parts[1]);
    double share = parts.length > 4 ? Double.parseDouble(parts[4]) : 1;
    List<Double> before = new ArrayList<>();
    List<Double> after = new ArrayList<>();
    for (int p = 0; p < processes; p++) {
      Racer a = Racer.start(old, mib, bytesPerKey, parts);
      Racer b = Racer.start(now, mib * share, bytesPerKey * share, parts);
      for (int round = -WARM_UP; round < rounds; round++) {
        double inA = a.round();
        double inB = b.round();
        if (round >= 0) {
          before.add(inA);
          after.add(inB);
        }
      }
      for (Racer racer : List.of(a, b)) {
        racer.process.destroy();
        racer.process.waitFor();
      }
    }
    double x = median(before);
    double y = median(after);
    System.out.printf(Locale.ROOT, "%-24s old %5.1f  new %5.1f  speed %.2f%n", of, x, y, x / y);
  }
}
