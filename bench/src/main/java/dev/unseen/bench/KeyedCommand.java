package dev.unseen.bench;

import static dev.unseen.Memory.MiB;

import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench/compare keyed}: measures the cost of a hash that strangers cannot compute, as a
 * share of the whole cost of a record.
 *
 * <p>The contestants take turns at each slice of the keys, with one filter, which is large enough
 * that memory matters. The ratio to the public hash is computed for each slice, and the median is
 * shown.
 */
@Command(
    name = "keyed",
    description =
        "Compares keyed hashes with the public one: keys go in batches through RECENCY of 64 MiB,"
            + " in turns.",
    mixinStandardHelpOptions = true)
final class KeyedCommand implements Callable<Integer> {
  private static final int[] LENGTHS = {8, 16, 20, 32, 64};
  private static final int KEYS = 1 << 20;
  private static final int SLICE = 1 << 15;
  private static final int BATCH = 1024;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final String PUBLIC = "xxh3, seed 0";

  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "12",
      description = "Number of rounds over all keys; the first third is a warm-up.")
  private int rounds;

  private final long[] hashes = new long[BATCH];
  private final long[] fresh = new long[BATCH / Long.SIZE];
  private long sum;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Secret secret = Secret.parse("000102030405060708090a0b0c0d0e0f");
    Map<String, KeyedHash> contestants = new LinkedHashMap<>();
    contestants.put(PUBLIC, of(HashKind.XXH3.create(0)));
    contestants.put("xxh3, secret", of(HashKind.XXH3.create(secret)));
    contestants.put("siphash-1-3", new SipHash13(1, 2));
    contestants.put("siphash-2-4", of(HashKind.SIPHASH.create(secret)));
    contestants.put("highwayhash", new HighwayHash(1, 2, 3, 4));
    out.printf(Locale.ROOT, "%6s  %-14s %14s %14s%n", "bytes", "hash", "ns a record", "ratio");
    for (int length : LENGTHS) {
      race(length, contestants, out);
    }
    out.println("(" + sum % 2 + ")"); // so that the compiler does not remove the work
    out.flush();
    return 0;
  }

  private static KeyedHash of(Hash64 hash) {
    return hash::hash;
  }

  private void race(int length, Map<String, KeyedHash> contestants, PrintWriter out) {
    byte[] keys = new byte[KEYS * length];
    new SplittableRandom(length).nextBytes(keys);
    DuplicateFilter filter = FilterSpec.of(FilterKind.RECENCY, MiB(64)).build();
    int slices = KEYS / SLICE;
    Map<String, double[]> times = new LinkedHashMap<>();
    int counted = rounds - rounds / 3;
    contestants.keySet().forEach(name -> times.put(name, new double[counted * slices]));
    for (int round = 0; round < rounds; round++) {
      for (int slice = 0; slice < slices; slice++) {
        for (Map.Entry<String, KeyedHash> contestant : contestants.entrySet()) {
          long began =
              THREADS.getCurrentThreadCpuTime(); // CPU time, because the machine may be busy
          run(contestant.getValue(), filter, keys, length, slice * SLICE);
          double time = (double) (THREADS.getCurrentThreadCpuTime() - began) / SLICE;
          int at = (round - rounds / 3) * slices + slice;
          if (at >= 0) {
            times.get(contestant.getKey())[at] = time;
          }
        }
      }
    }
    double[] base = times.get(PUBLIC);
    times.forEach(
        (name, own) -> {
          double[] ratios = new double[own.length];
          Arrays.setAll(ratios, i -> own[i] / base[i]);
          out.printf(
              Locale.ROOT, "%6d  %-14s %14.1f %14.2f%n", length, name, median(own), median(ratios));
        });
    out.flush();
  }

  private void run(KeyedHash hash, DuplicateFilter filter, byte[] keys, int length, int from) {
    for (int i = from; i < from + SLICE; i += BATCH) {
      for (int j = 0; j < BATCH; j++) {
        hashes[j] = hash.hash(keys, (i + j) * length, length);
      }
      sum += filter.admitAll(hashes, 0, BATCH, fresh);
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
