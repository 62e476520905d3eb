package dev.unseen.lab.rival;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The rivals, and the variants of the paper's filters that only trials use, each with the settings
 * to try.
 */
enum RivalFamily implements ContestantFamily {
  RSBF_MEASURED("RSBF measured", Role.PAPER) {
    @Override
    public List<Setting> settings(Arena a) {
      return overHashes(
          k ->
              new MeasuredReservoirFilter(
                  FilterSpec.builder(FilterKind.RSBF, a.memoryBytes())
                      .hashes(k)
                      .seed(a.seed())
                      .build()));
    }
  },

  BSBF_BLOCKED("BSBF BLOCKED", Role.OWN) {
    @Override
    public List<Setting> settings(Arena a) {
      return overHashes(k -> new BlockedFilter(a.memoryBytes(), k, false, a.seed()));
    }
  },

  RLBSBF_BLOCKED("RLBSBF BLOCKED", Role.OWN) {
    @Override
    public List<Setting> settings(Arena a) {
      return overHashes(k -> new BlockedFilter(a.memoryBytes(), k, true, a.seed()));
    }
  },

  A2("A2", Role.RIVAL) {
    @Override
    public List<Setting> settings(Arena a) {
      List<Setting> settings = new ArrayList<>();
      for (double fill : new double[] {0.4, 0.5, 0.6}) {
        for (int k = 1; k <= 20; k++) {
          int hashes = k;
          if (a.wants(DoubleBufferFilter.steadyFpr(k, fill))) {
            settings.add(
                setting(
                    String.format(Locale.ROOT, "k=%d fill=%.1f", k, fill),
                    () -> new DoubleBufferFilter(a.memoryBytes(), hashes, fill, a.seed())));
          }
        }
      }
      return settings;
    }
  },

  APBF("APBF", Role.RIVAL) {
    @Override
    public List<Setting> settings(Arena a) {
      List<Setting> settings = new ArrayList<>();
      for (int k = 3; k <= 18; k++) {
        int slices = k;
        for (int l : new int[] {k / 2, k, 2 * k, 4 * k}) {
          if (a.wants(AgePartitionedFilter.steadyFpr(k, l))) {
            IntStream.of(0, 1, (l + 1) / 2)
                .distinct()
                .forEach(refreshAge -> settings.add(ageing(a, slices, l, refreshAge)));
          }
        }
      }
      return settings;
    }

    private Setting ageing(Arena a, int k, int l, int refreshAge) {
      return setting(
          "k=%d l=%d%s".formatted(k, l, refreshAge == 0 ? "" : " refresh=" + refreshAge),
          () -> new AgePartitionedFilter(a.memoryBytes(), k, l, refreshAge, a.seed()));
    }
  },

  QQHTD("QQHTD", Role.RIVAL) {
    @Override
    public List<Setting> settings(Arena a) {
      return queues(a, true);
    }
  },

  QQHT("QQHT", Role.RIVAL) {
    @Override
    public List<Setting> settings(Arena a) {
      return queues(a, false);
    }
  },

  SQF("SQF", Role.RIVAL) {
    @Override
    public List<Setting> settings(Arena a) {
      List<Setting> settings = new ArrayList<>();
      for (int buckets : new int[] {2, 4, 8, 16}) {
        for (int reduced = 3; reduced <= 16; reduced++) {
          int bits = reduced;
          for (int r : IntStream.of(reduced + 3, 2 * reduced).distinct().toArray()) {
            if (a.wants(StreamingQuotientFilter.fullFpr(buckets, r, reduced))) {
              settings.add(
                  setting(
                      "k=%d r=%d r'=%d".formatted(buckets, r, reduced),
                      () ->
                          new StreamingQuotientFilter(
                              a.memoryBytes(), buckets, r, bits, a.seed())));
            }
          }
        }
      }
      return settings;
    }
  },

  CUCKOO("Cuckoo", Role.RIVAL) {
    @Override
    public List<Setting> settings(Arena a) {
      List<Setting> settings = new ArrayList<>();
      for (int entries : new int[] {1, 2, 4, 8}) {
        for (int f = 3; f <= 24; f++) {
          int bits = f;
          if (a.wants(CuckooFilter.fullFpr(entries, f))) {
            settings.add(
                setting(
                    "b=%d f=%d".formatted(entries, f),
                    () -> new CuckooFilter(a.memoryBytes(), entries, bits, MAX_KICKS, a.seed())));
          }
        }
      }
      return settings;
    }
  },

  SET_SLRU("setSLRU", Role.RIVAL) {
    private static final int PLACES = 16;

    @Override
    public List<Setting> settings(Arena a) {
      List<Setting> settings = new ArrayList<>();
      for (int f = 3; f <= 24; f++) {
        int bits = f;
        if (a.wants(SegmentedSetTable.fullFpr(PLACES, f))) {
          for (int ins : new int[] {0, 10}) {
            settings.add(
                setting(
                    "b=%d f=%d ins=%d".formatted(PLACES, f, ins),
                    () -> new SegmentedSetTable(a.memoryBytes(), PLACES, bits, ins, a.seed())));
          }
        }
      }
      return settings;
    }
  },

  QF_CLOCK("qfCLOCK", Role.RIVAL) {
    @Override
    public List<Setting> settings(Arena a) {
      return IntStream.rangeClosed(3, 20)
          .filter(r -> a.wants(ClockQuotientFilter.fullFpr(r)))
          .mapToObj(
              r ->
                  setting(
                      "r=%d at its published cost".formatted(r),
                      () -> new ClockQuotientFilter(a.memoryBytes(), r, a.seed())))
          .toList();
    }
  },

  CLOCK_38("CLOCK-38", Role.RIVAL) {
    @Override
    public List<Setting> settings(Arena a) {
      return rates(a)
          .mapToObj(ClockLines.Shape::of)
          .distinct()
          .map(
              shape ->
                  setting(shape.toString(), () -> new ClockLines(a.memoryBytes(), shape, a.seed())))
          .toList();
    }
  },

  ROLLING_BLOOM("Rolling Bloom", Role.RIVAL) {
    @Override
    public List<Setting> settings(Arena a) {
      return rates(a)
          .mapToObj(
              rate ->
                  setting(
                      "rate=" + rate,
                      () -> new RollingBloomFilter(a.memoryBytes(), rate, a.seed())))
          .toList();
    }
  },

  LRU("LRU", Role.EXACT) {
    @Override
    public List<Setting> settings(Arena a) {
      return List.of(setting("64 bytes an entry", () -> new LeastRecentSet(a.memoryBytes(), 64)));
    }
  },

  IDEAL_LRU("Ideal LRU", Role.EXACT) {
    @Override
    public List<Setting> settings(Arena a) {
      return List.of(setting("8 bytes an entry", () -> new LeastRecentSet(a.memoryBytes(), 8)));
    }
  },

  CAFFEINE("Caffeine", Role.EXACT) {
    @Override
    public List<Setting> settings(Arena a) {
      return List.of(setting("64 bytes an entry", () -> new CaffeineSet(a.memoryBytes(), 64)));
    }
  };

  private static final int MAX_KICKS = 50;

  private final String label;
  private final Role role;

  RivalFamily(String label, Role role) {
    this.label = label;
    this.role = role;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public Role role() {
    return role;
  }

  Setting setting(String parameters, Supplier<Contestant> factory) {
    return new Setting(this, parameters, factory);
  }

  List<Setting> overHashes(IntFunction<Contestant> factory) {
    return IntStream.rangeClosed(1, FilterFamily.MAX_HASHES)
        .mapToObj(k -> setting("k=" + k, () -> factory.apply(k)))
        .toList();
  }

  /** Returns the rates to try of structures that are made for a rate. */
  static DoubleStream rates(Arena a) {
    return DoubleStream.of(2e-2, 1e-2, 5e-3, 3e-3, 2e-3, 1e-3, 5e-4, 3e-4, 2e-4, 1e-4, 1e-5)
        .filter(a::wants);
  }

  List<Setting> queues(Arena a, boolean pushDuplicates) {
    List<Setting> settings = new ArrayList<>();
    for (int buckets : new int[] {1, 2, 4, 8, 16}) {
      for (int f = 3; f <= 24; f++) {
        int bits = f;
        if (a.wants(QueuedQuotientTable.fullFpr(buckets, f))) {
          settings.add(
              setting(
                  "b=%d f=%d".formatted(buckets, f),
                  () ->
                      new QueuedQuotientTable(
                          a.memoryBytes(), buckets, bits, pushDuplicates, a.seed())));
        }
      }
    }
    return settings;
  }
}
