package dev.unseen.plan.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.plan.stream.RepeatDistances;
import dev.unseen.plan.stream.RepeatSample;
import dev.unseen.plan.stream.StreamModel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The model against the filters themselves, where no published figures are: other streams, RSBF as
 * printed in all three phases, larger cells. A rate may differ by 1 % of it and by five standard
 * errors of the count; RSBF on recent repeats, where the model approximates, by 5 %.
 */
final class MeanFieldAgainstFiltersTest {
  private static final int RECORDS = 1_000_000;
  private static final int WINDOW = 50_000;

  @ParameterizedTest
  @CsvSource({
    "BSBF,          2, 1,  16, 0.01",
    "BSBF,          2, 1, 128, 0.01",
    "BSBFSD,        3, 1,  32, 0.01",
    "RLBSBF,        2, 1,  16, 0.01",
    "RLBSBF,        8, 1, 256, 0.01",
    "SBF,           2, 1,  16, 0.01",
    "SBF,           3, 3, 128, 0.01",
    "BLOOM,         7, 1, 128, 0.01",
    "RSBF,          3, 1,   2, 0.05", // long in phase 3
    "RSBF,          3, 1,  16, 0.05",
    "RSBF,          3, 1, 128, 0.05",
    "SAMPLED,       2, 1,  16, 0.01",
    "RECENCY,       1, 1,  60, 0.04", // adaptive, predicted as if it forgot the least recent
  })
  void predicts_what_is_measured(
      FilterKind kind, int k, int cellBits, int memoryKib, double onRecent) {
    FilterSpec spec =
        FilterSpec.builder(kind, memoryKib << 10)
            .hashes(k)
            .set(Parameter.CELL_BITS, cellBits)
            .seed(9)
            .build();
    compare(spec, uniform(200_000), StreamModel.uniform(RECORDS, 200_000), 0.01);
    StreamModel recent = StreamModel.recent(RECORDS, 0.4, RepeatDistances.uniformWithin(WINDOW));
    compare(spec, recent(), recent, onRecent);
  }

  /**
   * A loop of 250,000 keys, four times, and one of 30,000, 33 times. The model's steps do not end
   * where a pass does, so 3 % are allowed; 5 % where a coin chooses what is stored.
   */
  @ParameterizedTest
  @CsvSource({
    "BSBF,           2,  64, 0.03",
    "BSBFSD,         3, 128, 0.03",
    "RLBSBF,         2,  64, 0.03",
    "RLBSBF,         4, 250, 0.03",
    "SBF,            2,  64, 0.03",
    "BLOOM,          7, 250, 0.03",
    "RSBF,           3,  64, 0.05",
    "SAMPLED,        2,  64, 0.03",
  })
  void predicts_a_loop(FilterKind kind, int k, int memoryKib, double tolerance) {
    FilterSpec spec = FilterSpec.builder(kind, memoryKib << 10).hashes(k).seed(9).build();
    for (int keys : new int[] {250_000, 30_000}) {
      compare(spec, loop(keys), StreamModel.loop(RECORDS, keys), tolerance);
    }
  }

  private static int[] loop(int universe) {
    int[] keys = new int[RECORDS];
    Arrays.setAll(keys, i -> i % universe);
    return keys;
  }

  /** The planner's way with a user's own data: learn the distances, then predict. */
  @ParameterizedTest
  @CsvSource({
    "BSBF, 2, 16",
    "BSBFSD, 2, 16",
    "RLBSBF, 4, 32",
    "SBF, 2, 32",
    "BLOOM, 4, 16",
    "RSBF, 3, 4",
    "RSBF, 3, 64"
  })
  void predicts_from_a_sample_of_the_stream(FilterKind kind, int k, int memoryKib) {
    int[] keys = skewed();
    RepeatSample sample = new RepeatSample();
    Map<Integer, Integer> last = new HashMap<>();
    for (int i = 0; i < RECORDS; i++) {
      Integer before = last.put(keys[i], i);
      if (before == null) {
        sample.first();
      } else {
        sample.repeat(i - before);
      }
    }
    StreamModel stream = sample.model();
    assertThat(stream.records()).isEqualTo(RECORDS);
    assertThat(stream.distinct(RECORDS)).isCloseTo(last.size(), withinPercentage(0.1));
    compare(
        FilterSpec.builder(kind, memoryKib << 10).hashes(k).seed(9).build(), keys, stream, 0.03);
  }

  /** Few popular keys and many rare ones, of a range that moves on. */
  private static int[] skewed() {
    SplitMix64 random = new SplitMix64(4);
    int[] keys = new int[RECORDS];
    Arrays.setAll(
        keys, i -> i / 10 + (int) random.below(1 + random.below(1 + random.below(1 << 20))));
    return keys;
  }

  private static int[] uniform(int universe) {
    SplitMix64 random = new SplitMix64(1);
    int[] keys = new int[RECORDS];
    Arrays.setAll(keys, i -> (int) random.below(universe));
    return keys;
  }

  /** Four in ten records have a next one of their key, at a uniform distance. */
  private static int[] recent() {
    SplitMix64 random = new SplitMix64(2);
    int[] keys = new int[RECORDS];
    int fresh = 0;
    for (int i = 0; i < RECORDS; i++) {
      if (keys[i] == 0) {
        fresh++;
        keys[i] = fresh;
      }
      if (random.below(10) < 4) {
        int next = i + 1 + (int) random.below(WINDOW);
        while (next < RECORDS && keys[next] != 0) {
          next++; // taken: the next free place
        }
        if (next < RECORDS) {
          keys[next] = keys[i];
        }
      }
    }
    return keys;
  }

  private static void compare(FilterSpec spec, int[] keys, StreamModel stream, double tolerance) {
    DuplicateFilter filter = Filters.create(spec);
    Hash64 hash = HashKind.XXH3.create(3);
    BitSet seen = new BitSet();
    int falsePositives = 0;
    int falseNegatives = 0;
    for (int key : keys) {
      boolean admitted = filter.admit(hash.hash(key));
      falsePositives += !seen.get(key) && !admitted ? 1 : 0;
      falseNegatives += seen.get(key) && admitted ? 1 : 0;
      seen.set(key);
    }
    Prediction prediction = Predictions.of(spec, stream);
    int distinct = seen.cardinality();
    assertRate("FPR", prediction.fpr(), falsePositives, distinct, tolerance);
    assertRate("FNR", prediction.fnr(), falseNegatives, RECORDS - distinct, tolerance);
    assertThat(prediction.finalLoad()).isCloseTo(filter.load(), within(0.01));
  }

  private static void assertRate(
      String name, double predicted, int errors, int trials, double tolerance) {
    double allowed = tolerance * errors + 5 * Math.sqrt(Math.max(errors, predicted * trials));
    assertThat(predicted * trials).as(name).isCloseTo(errors, within(allowed));
  }
}
