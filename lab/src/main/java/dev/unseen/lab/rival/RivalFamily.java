package dev.unseen.lab.rival;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The rivals, and the variants of the paper's filters that only trials use, each with the settings
 * to try.
 */
record RivalFamily(String label, Role role, Consumer<Settings> sweep) implements ContestantFamily {
  static final List<ContestantFamily> ALL =
      List.of(
          new RivalFamily(
              "RSBF measured",
              Role.PAPER,
              s ->
                  s.overHashes(
                      k ->
                          new MeasuredReservoirFilter(
                              FilterSpec.builder(FilterKind.RSBF, s.memory)
                                  .hashes(k)
                                  .seed(s.seed)
                                  .build()))),
          new RivalFamily(
              "BSBF BLOCKED",
              Role.OWN,
              s -> s.overHashes(k -> new BlockedFilter(s.memory, k, false, s.seed))),
          new RivalFamily(
              "RLBSBF BLOCKED",
              Role.OWN,
              s -> s.overHashes(k -> new BlockedFilter(s.memory, k, true, s.seed))),
          new RivalFamily(
              "A2",
              Role.RIVAL,
              s -> {
                for (double fill : new double[] {0.4, 0.5, 0.6}) {
                  for (int k : range(1, 20)) {
                    s.add(
                        DoubleBufferFilter.steadyFpr(k, fill),
                        String.format(Locale.ROOT, "k=%d fill=%.1f", k, fill),
                        () -> new DoubleBufferFilter(s.memory, k, fill, s.seed));
                  }
                }
              }),
          new RivalFamily(
              "APBF",
              Role.RIVAL,
              s -> {
                for (int k : range(3, 18)) {
                  for (int l : new int[] {k / 2, k, 2 * k, 4 * k}) {
                    for (int refresh : IntStream.of(0, 1, (l + 1) / 2).distinct().toArray()) {
                      s.add(
                          AgePartitionedFilter.steadyFpr(k, l),
                          "k=%d l=%d%s".formatted(k, l, refresh == 0 ? "" : " refresh=" + refresh),
                          () -> new AgePartitionedFilter(s.memory, k, l, refresh, s.seed));
                    }
                  }
                }
              }),
          new RivalFamily("QQHTD", Role.RIVAL, s -> queues(s, true)),
          new RivalFamily("QQHT", Role.RIVAL, s -> queues(s, false)),
          new RivalFamily(
              "SQF",
              Role.RIVAL,
              s -> {
                for (int buckets : new int[] {2, 4, 8, 16}) {
                  for (int reduced : range(3, 16)) {
                    for (int r : IntStream.of(reduced + 3, 2 * reduced).distinct().toArray()) {
                      s.add(
                          StreamingQuotientFilter.fullFpr(buckets, r, reduced),
                          "k=%d r=%d r'=%d".formatted(buckets, r, reduced),
                          () -> new StreamingQuotientFilter(s.memory, buckets, r, reduced, s.seed));
                    }
                  }
                }
              }),
          new RivalFamily(
              "Cuckoo",
              Role.RIVAL,
              s -> {
                int maxKicks = 50;
                for (int entries : new int[] {1, 2, 4, 8}) {
                  for (int f : range(3, 24)) {
                    s.add(
                        CuckooFilter.fullFpr(entries, f),
                        "b=%d f=%d".formatted(entries, f),
                        () -> new CuckooFilter(s.memory, entries, f, maxKicks, s.seed));
                  }
                }
              }),
          new RivalFamily(
              "setSLRU",
              Role.RIVAL,
              s -> {
                int places = 16;
                for (int f : range(3, 24)) {
                  for (int ins : new int[] {0, 10}) {
                    s.add(
                        SegmentedSetTable.fullFpr(places, f),
                        "b=%d f=%d ins=%d".formatted(places, f, ins),
                        () -> new SegmentedSetTable(s.memory, places, f, ins, s.seed));
                  }
                }
              }),
          new RivalFamily(
              "qfCLOCK",
              Role.RIVAL,
              s -> {
                for (int r : range(3, 20)) {
                  s.add(
                      ClockQuotientFilter.fullFpr(r),
                      "r=%d at its published cost".formatted(r),
                      () -> new ClockQuotientFilter(s.memory, r, s.seed));
                }
              }),
          new RivalFamily(
              "CLOCK-38",
              Role.RIVAL,
              s ->
                  s.rates()
                      .mapToObj(ClockLines.Shape::of)
                      .distinct()
                      .forEach(
                          shape ->
                              s.add(
                                  shape.toString(),
                                  () -> new ClockLines(s.memory, shape, s.seed)))),
          new RivalFamily(
              "Rolling Bloom",
              Role.RIVAL,
              s ->
                  s.rates()
                      .forEach(
                          rate ->
                              s.add(
                                  "rate=" + rate,
                                  () -> new RollingBloomFilter(s.memory, rate, s.seed)))),
          new RivalFamily(
              "LRU",
              Role.EXACT,
              s -> s.add("64 bytes an entry", () -> new LeastRecentSet(s.memory, 64))),
          new RivalFamily(
              "Ideal LRU",
              Role.EXACT,
              s -> s.add("8 bytes an entry", () -> new LeastRecentSet(s.memory, 8))),
          new RivalFamily(
              "Caffeine",
              Role.EXACT,
              s -> s.add("64 bytes an entry", () -> new CaffeineSet(s.memory, 64))));

  @Override
  public List<Setting> settings(Arena arena) {
    Settings settings = new Settings(this, arena);
    sweep.accept(settings);
    return settings.all;
  }

  private static void queues(Settings s, boolean pushDuplicates) {
    for (int buckets : new int[] {1, 2, 4, 8, 16}) {
      for (int f : range(3, 24)) {
        s.add(
            QueuedQuotientTable.fullFpr(buckets, f),
            "b=%d f=%d".formatted(buckets, f),
            () -> new QueuedQuotientTable(s.memory, buckets, f, pushDuplicates, s.seed));
      }
    }
  }

  private static int[] range(int first, int last) {
    return IntStream.rangeClosed(first, last).toArray();
  }

  /** Collects the settings of a family in an arena. */
  static final class Settings {
    private final RivalFamily family;
    private final Arena arena;
    private final long memory;
    private final long seed;
    private final List<Setting> all = new ArrayList<>();

    Settings(RivalFamily family, Arena arena) {
      this.family = family;
      this.arena = arena;
      this.memory = arena.memoryBytes();
      this.seed = arena.seed();
    }

    void add(String parameters, Supplier<Contestant> factory) {
      all.add(new Setting(family, parameters, factory));
    }

    /** Adds a setting if its false positive rate, which is known before a run, is worth one. */
    void add(double expectedFpr, String parameters, Supplier<Contestant> factory) {
      if (arena.wants(expectedFpr)) {
        add(parameters, factory);
      }
    }

    void overHashes(IntFunction<Contestant> factory) {
      for (int k : range(1, FilterFamily.MAX_HASHES)) {
        add("k=" + k, () -> factory.apply(k));
      }
    }

    /** Returns the rates to try of structures that are made for a rate. */
    DoubleStream rates() {
      return DoubleStream.of(2e-2, 1e-2, 5e-3, 3e-3, 2e-3, 1e-3, 5e-4, 3e-4, 2e-4, 1e-4, 1e-5)
          .filter(arena::wants);
    }
  }
}
