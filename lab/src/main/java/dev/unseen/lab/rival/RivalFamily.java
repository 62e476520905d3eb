package dev.unseen.lab.rival;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.lab.rival.QueueTable.Hit;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The rivals, and the variants of the paper's filters that only trials use, each with the settings
 * to try.
 */
final class RivalFamily {
  private static final int[] RANGE_OF_BITS = range(3, 24); // of a fingerprint

  private RivalFamily() {}

  static List<ContestantFamily> all() {
    return List.of(
        ContestantFamily.of("RSBF measured", Role.PAPER, RivalFamily::measuredReservoir),
        ContestantFamily.of("BSBF BLOCKED", Role.OWN, s -> blocked(s, false)),
        ContestantFamily.of("RLBSBF BLOCKED", Role.OWN, s -> blocked(s, true)),
        ContestantFamily.of("A2", Role.RIVAL, RivalFamily::doubleBuffers),
        ContestantFamily.of("APBF", Role.RIVAL, RivalFamily::agePartitioned),
        ContestantFamily.of("QQHTD", Role.RIVAL, s -> queues(s, Hit.ENTERS_AGAIN)),
        ContestantFamily.of("QQHT", Role.RIVAL, s -> queues(s, Hit.STAYS)),
        ContestantFamily.of("SQF", Role.RIVAL, RivalFamily::streamingQuotient),
        ContestantFamily.of("Cuckoo", Role.RIVAL, RivalFamily::cuckoo),
        ContestantFamily.of("setSLRU", Role.RIVAL, RivalFamily::setSlru),
        ContestantFamily.of("qfCLOCK", Role.RIVAL, RivalFamily::clockQuotient),
        ContestantFamily.of("CLOCK-38", Role.RIVAL, RivalFamily::clockLines),
        ContestantFamily.of("Rolling Bloom", Role.RIVAL, RivalFamily::rollingBloom),
        ContestantFamily.of(
            "LRU", Role.EXACT, s -> s.add("64 bytes an entry", seed -> ExactSet.lru(s.memory, 64))),
        ContestantFamily.of(
            "Ideal LRU",
            Role.EXACT,
            s -> s.add("8 bytes an entry", seed -> ExactSet.lru(s.memory, 8))),
        ContestantFamily.of(
            "Caffeine",
            Role.EXACT,
            s -> s.add("64 bytes an entry", seed -> ExactSet.caffeine(s.memory, 64))));
  }

  private static void measuredReservoir(Settings s) {
    for (int k : range(1, FilterFamily.MAX_HASHES)) {
      FilterSpec.Builder spec = FilterSpec.builder(FilterKind.RSBF, s.memory).hashes(k);
      s.add("k=" + k, seed -> new MeasuredReservoirFilter(spec.seed(seed).build()));
    }
  }

  private static void blocked(Settings s, boolean balanced) {
    for (int k : range(1, FilterFamily.MAX_HASHES)) {
      s.add("k=" + k, seed -> new BlockedFilter(s.memory, k, balanced, seed));
    }
  }

  private static void doubleBuffers(Settings s) {
    for (double fill : new double[] {0.4, 0.5, 0.6}) {
      for (int k : range(1, 20)) {
        s.add(
            DoubleBufferFilter.steadyFpr(k, fill),
            String.format(Locale.ROOT, "k=%d fill=%.1f", k, fill),
            seed -> new DoubleBufferFilter(s.memory, k, fill, seed));
      }
    }
  }

  private static void agePartitioned(Settings s) {
    for (int k : range(3, 18)) {
      for (int l : new int[] {k / 2, k, 2 * k, 4 * k}) {
        for (int refresh : IntStream.of(0, 1, (l + 1) / 2).distinct().toArray()) {
          s.add(
              AgePartitionedFilter.steadyFpr(k, l),
              "k=%d l=%d%s".formatted(k, l, refresh == 0 ? "" : " refresh=" + refresh),
              seed -> new AgePartitionedFilter(s.memory, k, l, refresh, seed));
        }
      }
    }
  }

  private static void queues(Settings s, Hit hit) {
    for (int buckets : new int[] {1, 2, 4, 8, 16}) {
      for (int f : RANGE_OF_BITS) {
        s.add(
            BucketTable.fullFpr(buckets, f),
            "b=%d f=%d".formatted(buckets, f),
            seed -> new QueueTable(s.memory, buckets, f, 0, hit, seed));
      }
    }
  }

  private static void setSlru(Settings s) {
    for (int f : RANGE_OF_BITS) {
      for (int ins : new int[] {0, 10}) {
        s.add(
            BucketTable.fullFpr(16, f),
            "b=16 f=%d ins=%d".formatted(f, ins),
            seed -> new QueueTable(s.memory, 16, f, ins, Hit.MOVES_TO_FRONT, seed));
      }
    }
  }

  private static void streamingQuotient(Settings s) {
    for (int buckets : new int[] {2, 4, 8, 16}) {
      for (int reduced : range(3, 16)) {
        for (int r : IntStream.of(reduced + 3, 2 * reduced).distinct().toArray()) {
          s.add(
              StreamingQuotientFilter.fullFpr(buckets, r, reduced),
              "k=%d r=%d r'=%d".formatted(buckets, r, reduced),
              seed -> new StreamingQuotientFilter(s.memory, buckets, r, reduced, seed));
        }
      }
    }
  }

  private static void cuckoo(Settings s) {
    for (int entries : new int[] {1, 2, 4, 8}) {
      for (int f : RANGE_OF_BITS) {
        s.add(
            BucketTable.fullFpr(2 * entries, f),
            "b=%d f=%d".formatted(entries, f),
            seed -> new CuckooFilter(s.memory, entries, f, 50, seed));
      }
    }
  }

  private static void clockQuotient(Settings s) {
    for (int r : range(3, 20)) {
      s.add(
          ClockQuotientFilter.fullFpr(r),
          "r=%d at its published cost".formatted(r),
          seed -> new ClockQuotientFilter(s.memory, r, seed));
    }
  }

  private static void clockLines(Settings s) {
    s.rates()
        .mapToObj(ClockLines.Shape::of)
        .distinct()
        .forEach(shape -> s.add(shape.toString(), seed -> new ClockLines(s.memory, shape, seed)));
  }

  private static void rollingBloom(Settings s) {
    s.rates()
        .forEach(
            rate -> s.add("rate=" + rate, seed -> new RollingBloomFilter(s.memory, rate, seed)));
  }

  private static int[] range(int first, int last) {
    return IntStream.rangeClosed(first, last).toArray();
  }
}
