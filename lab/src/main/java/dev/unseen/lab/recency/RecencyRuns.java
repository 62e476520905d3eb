package dev.unseen.lab.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.recency.LineForm;
import dev.unseen.lab.frontier.Ground;
import dev.unseen.lab.rival.Contestant;
import dev.unseen.lab.trial.HeldStream;
import dev.unseen.lab.trial.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Runs RECENCY with its default settings, once per seed. Each seed has other hashes of the keys.
 */
public final class RecencyRuns {
  /** The windows that pass before evictions are counted: the first one fills an empty filter. */
  private static final int WINDOWS_BEFORE = 3;

  private static final int WINDOWS_COUNTED = 5;

  /** The keys of a stream with rare duplicates, and those before the first, in keys that fit. */
  private static final int FITS_OF_RARE = 8;

  private static final double FITS_BEFORE_RARE = 1.3;

  private static final int BATCH = 4096;

  private final int seeds;

  /** Creates runs with this number of seeds: 1, 2 and so on. */
  public RecencyRuns(int seeds) {
    this.seeds = seeds;
  }

  /** Runs a stream at a number of bits per distinct key. */
  public Measurement of(HeldStream stream, double bitsPerKey, double maxFpr) {
    long memory = Ground.ofBitsPerKey(stream, bitsPerKey, seeds).memoryBytes();
    return measure(
        stream.name(),
        bitsPerKey,
        maxFpr,
        seed -> stream.run(Contestant.of(filter(memory, maxFpr, seed)), seed, any -> {}));
  }

  private Measurement measure(
      String name, double bitsPerKey, double maxFpr, LongFunction<Tally> run) {
    List<Tally> runs = LongStream.rangeClosed(1, seeds).mapToObj(run).toList();
    return new Measurement(name, bitsPerKey, maxFpr, runs);
  }

  /**
   * Runs new keys at an even pace, with a window of a day, and counts those that are evicted before
   * a day has passed. The first windows are not counted, because an empty filter evicts less.
   */
  public Measurement window(long memoryBytes, double bytesPerKey, double maxFpr) {
    long keys = (long) (memoryBytes / bytesPerKey); // within a window
    long all = keys * (WINDOWS_BEFORE + WINDOWS_COUNTED);
    Window window = Window.time(Duration.ofDays(1));
    FilterSpec.Builder spec = spec(memoryBytes, maxFpr).window(window).refresh(Refresh.NEVER);
    return measure(
        "24 h window",
        Byte.SIZE * bytesPerKey,
        maxFpr,
        seed -> {
          DuplicateFilter filter = Filters.create(spec.seed(seed).build());
          long falsePositives = 0;
          long before = 0;
          for (long i = 0; i < all; i++) {
            if (i == keys * WINDOWS_BEFORE) {
              before = filter.evictedEarly();
            }
            long millis = (long) ((double) i / keys * window.length());
            falsePositives += filter.admit(hash(i, seed), millis) ? 0 : 1;
          }
          long evicted = filter.evictedEarly() - before;
          return new Tally(all + keys * WINDOWS_COUNTED, all, falsePositives, evicted, 0);
        });
  }

  /** Runs new keys only, far more than fit: every one that is not admitted is a false positive. */
  public Measurement distinct(long memoryBytes, long keys, double maxFpr) {
    return measure(
        "new keys",
        (double) memoryBytes * Byte.SIZE / keys,
        maxFpr,
        seed -> {
          DuplicateFilter filter = filter(memoryBytes, maxFpr, seed);
          long[] hashes = new long[BATCH];
          long[] fresh = new long[BATCH / Long.SIZE];
          long admitted = 0;
          for (long from = 0; from < keys; from += BATCH) {
            int count = (int) Math.min(BATCH, keys - from);
            for (int i = 0; i < count; i++) {
              hashes[i] = hash(from + i, seed);
            }
            admitted += filter.admitAll(hashes, 0, count, fresh);
          }
          return new Tally(keys, keys, keys - admitted, 0, filter.load());
        });
  }

  /**
   * Runs new keys, of which a few are sent again soon: none until the filter is full, and then this
   * share of the records is one of the last keys. It ends after eight times the keys that fit.
   *
   * @param reach the number of the last keys, as a share of the keys that fit
   */
  public Measurement rare(long memoryBytes, double maxFpr, double share, double reach) {
    int lanes = LineForm.of(spec(memoryBytes, maxFpr).build()).fullLanes();
    long fit = memoryBytes * Byte.SIZE / Lanes.BITS * lanes;
    long all = FITS_OF_RARE * fit;
    return measure(
        "rare:%s:%s".formatted(share, reach),
        (double) memoryBytes * Byte.SIZE / all,
        maxFpr,
        seed -> {
          DuplicateFilter filter = filter(memoryBytes, maxFpr, seed);
          SplitMix64 random = new SplitMix64(seed);
          long keys = 0;
          long duplicates = 0;
          long falsePositives = 0;
          long falseNegatives = 0;
          while (keys < all) {
            if (keys > FITS_BEFORE_RARE * fit
                && random.chance(Math.round(share * 1e6), 1_000_000)) {
              long key = keys - 1 - random.below((long) (reach * fit));
              duplicates++;
              falseNegatives += filter.admit(hash(key, seed)) ? 1 : 0;
            } else {
              falsePositives += filter.admit(hash(keys++, seed)) ? 0 : 1;
            }
          }
          return new Tally(keys + duplicates, keys, falsePositives, falseNegatives, filter.load());
        });
  }

  /** Runs a loop over these keys. Returns a measurement of each pass from the second on. */
  public List<Measurement> passes(long keys, int passes, double bitsPerKey, double maxFpr) {
    long memory = Math.round(keys * bitsPerKey / Byte.SIZE);
    List<List<Tally>> runs =
        IntStream.range(0, passes).<List<Tally>>mapToObj(pass -> new ArrayList<>()).toList();
    for (int seed = 1; seed <= seeds; seed++) {
      DuplicateFilter filter = filter(memory, maxFpr, seed);
      long falsePositives = keys - pass(filter, keys, seed); // the first pass has new keys only
      for (List<Tally> pass : runs.subList(1, passes)) {
        long admitted = pass(filter, keys, seed);
        pass.add(new Tally(2 * keys, keys, falsePositives, admitted, filter.load()));
      }
    }
    return IntStream.range(1, passes)
        .mapToObj(
            pass ->
                new Measurement(
                    "loop pass %d".formatted(pass + 1), bitsPerKey, maxFpr, runs.get(pass)))
        .toList();
  }

  /** Runs all keys once. Returns the number of those that were admitted. */
  private static long pass(DuplicateFilter filter, long keys, long seed) {
    long admitted = 0;
    for (long key = 0; key < keys; key++) {
      admitted += filter.admit(hash(key, seed)) ? 1 : 0;
    }
    return admitted;
  }

  private static DuplicateFilter filter(long memoryBytes, double maxFpr, long seed) {
    return Filters.create(spec(memoryBytes, maxFpr).seed(seed).build());
  }

  private static FilterSpec.Builder spec(long memoryBytes, double maxFpr) {
    return FilterSpec.builder(FilterKind.RECENCY, memoryBytes).maxFpr(maxFpr);
  }

  /** Returns a hash of a key. Other keys have other hashes, because both steps can be undone. */
  private static long hash(long key, long seed) {
    return Mix.mix(Mix.mix(key) + seed * Mix.GOLDEN);
  }
}
