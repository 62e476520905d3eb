package dev.unseen.lab.stream;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.bits.SplitMix64;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import dev.unseen.text.Parse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class StreamsTest {
  private static final long SEED = 4;

  @Property(tries = 200)
  void a_permutation_hits_every_number_once(Choices choices) {
    int size = choices.draw("size", ints(1, 5000));
    long seed = choices.draw("seed", longs());
    Permutation permutation = new Permutation(size, seed);
    BitSet hit = new BitSet();
    for (int i = 0; i < size; i++) {
      hit.set((int) permutation.at(i));
    }
    assertThat(hit.cardinality()).isEqualTo(size);
    assertThat(hit.length()).isEqualTo(size);
  }

  /**
   * Of a million, the share that a window of the output takes from each tenth of the input is a
   * tenth. 100 counts of 10,000 with a standard deviation of 95: five of them are passed with odds
   * of 6e-5 for another seed. And no number keeps its neighbour more often than chance has it.
   */
  @Test
  void a_permutation_looks_shuffled() {
    int n = 1_000_000;
    Permutation permutation = new Permutation(n, SEED);
    int[][] counts = new int[10][10];
    int neighbours = 0;
    long before = -10;
    for (int i = 0; i < n; i++) {
      long at = permutation.at(i);
      counts[i / 100_000][(int) (at / 100_000)]++;
      neighbours += Math.abs(at - before) == 1 ? 1 : 0;
      before = at;
    }
    for (int[] row : counts) {
      for (int count : row) {
        assertThat(count).isBetween(10_000 - 475, 10_000 + 475);
      }
    }
    assertThat(neighbours).isLessThan(15); // 2 expected
  }

  @Test
  void the_papers_stream_has_each_key_and_the_rest_uniform() {
    int n = 200_000;
    int d = 50_000;
    SyntheticStream stream = Streams.shuffled(n, d, SEED);
    int[] counts = new int[d];
    long firstsInFirstTenth = 0;
    for (int i = 0; i < n; i++) {
      int key = (int) stream.key(i);
      if (counts[key]++ == 0 && i < n / 10) {
        firstsInFirstTenth++;
      }
    }
    int once = 0;
    for (int count : counts) {
      assertThat(count).isPositive();
      once += count == 1 ? 1 : 0;
    }
    // 150,000 further records over 50,000 keys: a key gets none of them with chance e^-3. The count
    // has a standard deviation of 43 at most; five of them, odds 6e-7.
    assertThat(once).isBetween((int) (d * Math.exp(-3)) - 215, (int) (d * Math.exp(-3)) + 215);
    // Shuffled: a key appears in the first tenth unless all its 1 + Poisson(3) records lie later.
    double expected = d * (1 - 0.9 * Math.exp(-0.3));
    assertThat((double) firstsInFirstTenth).isCloseTo(expected, within(5 * Math.sqrt(expected)));
  }

  @Test
  void ten_billion_records_take_no_memory() {
    SyntheticStream stream = Streams.shuffled(10_000_000_000L, 6_000_000_000L, SEED);
    for (long i = 9_999_999_997L; i < stream.records(); i++) {
      assertThat(stream.key(i)).isBetween(0L, 5_999_999_999L);
    }
  }

  @Test
  void equal_seeds_give_equal_streams_and_others_do_not() {
    List<SyntheticStream> one = streams(1);
    List<SyntheticStream> again = streams(1);
    List<SyntheticStream> other = streams(2);
    for (int s = 0; s < one.size(); s++) {
      int differing = 0;
      for (int i = 0; i < 1000; i++) {
        assertThat(one.get(s).key(i)).isEqualTo(again.get(s).key(i));
        assertThat(one.get(s).key(i)).isBetween(0L, one.get(s).keySpace() - 1);
        differing += one.get(s).key(i) == other.get(s).key(i) ? 0 : 1;
      }
      assertThat(differing).as("stream %d", s).isGreaterThan(100);
      assertThat(one.get(s).records()).isEqualTo(1000);
    }
  }

  private static List<SyntheticStream> streams(long seed) {
    return List.of(
        Streams.shuffled(1000, 600, seed),
        Streams.uniform(1000, 600, seed),
        Streams.zipf(1000, 600, 1.1, seed),
        Streams.recency(1000, 0.5, Streams.within(50), seed),
        Streams.day(1000, 400, seed),
        Streams.shifting(1000, 300, 4, seed));
  }

  @Test
  void a_loop_goes_round_its_keys() {
    SyntheticStream stream = Streams.loop(10, 4);
    assertThat(keys(stream)).containsExactly(0, 1, 2, 3, 0, 1, 2, 3, 0, 1);
  }

  @Property(tries = 200)
  void noise_is_its_share_of_keys_that_come_once_and_the_rest_is_the_other_stream(Choices choices) {
    int base = choices.draw("records", ints(1, 400));
    double share = choices.draw("percent", ints(0, 99)) / 100.0;
    SyntheticStream loop = Streams.loop(base, Math.min(base, 7));
    SyntheticStream stream = Streams.noisy(loop, share);
    List<Long> rest = new ArrayList<>();
    BitSet once = new BitSet();
    for (long key : keys(stream)) {
      assertThat(key).isBetween(0L, stream.keySpace() - 1);
      if (key < loop.keySpace()) {
        rest.add(key);
      } else {
        assertThat(once.get((int) key)).isFalse();
        once.set((int) key);
      }
    }
    assertThat(rest).containsExactlyElementsOf(Arrays.stream(keys(loop)).boxed().toList());
    assertThat((double) once.cardinality()).isCloseTo(share * stream.records(), within(1.0));
    long all = stream.records();
    assertThat(Streams.withoutNoise(share, all)).isBetween(base - 1L, base + 1L);
  }

  @Test
  void a_day_has_its_keys_some_popular_and_most_in_bursts() {
    int n = 200_000;
    int wanted = 50_000;
    SyntheticStream stream = Streams.day(n, wanted, SEED);
    Map<Long, Integer> counts = new HashMap<>();
    Map<Long, Integer> last = new HashMap<>();
    int near = 0;
    int i = 0;
    for (long key : keys(stream)) {
      counts.merge(key, 1, Integer::sum);
      Integer before = last.put(key, i);
      near += before != null && i - before <= 1000 ? 1 : 0;
      i++;
    }
    // Most of the spread is in how many of the rarest popular keys come at all.
    assertThat(counts.size()).isBetween((int) (0.97 * wanted), (int) (1.03 * wanted));
    long often = counts.values().stream().filter(count -> count > 100).count();
    assertThat(often).as("popular keys").isGreaterThan(50);
    long once = counts.values().stream().filter(count -> count == 1).count();
    assertThat(once).as("keys that come once").isGreaterThan(wanted / 10);
    assertThat(near).as("repeats within 1000 records").isGreaterThan(n / 4);
  }

  @Test
  void a_day_that_is_ingested_again_is_the_same_day() {
    SyntheticStream day = Streams.day(500, 200, SEED);
    SyntheticStream stream = Streams.repeated(day, 2);
    assertThat(stream.records()).isEqualTo(1000);
    for (int i = 0; i < 500; i++) {
      assertThat(stream.key(i)).isEqualTo(day.key(i)).isEqualTo(stream.key(500 + i));
    }
  }

  @Test
  void working_sets_shift_by_half_of_their_keys() {
    SyntheticStream stream = Streams.shifting(90_000, 1000, 9, SEED);
    for (int set = 0; set < 9; set++) {
      BitSet seen = new BitSet();
      for (int i = set * 10_000; i < (set + 1) * 10_000; i++) {
        seen.set((int) stream.key(i));
      }
      // 10,000 draws from 200 keys: each is missed with a chance of e^-50.
      assertThat(seen.cardinality()).isEqualTo(200);
      assertThat(seen.nextSetBit(0)).isEqualTo(100 * set);
      assertThat(seen.length()).isEqualTo(100 * set + 200);
    }
  }

  @Property(tries = 200)
  void each_key_comes_twice_at_its_distance(Choices choices) {
    int records = 2 * choices.draw("keys", ints(1, 300));
    int distance = choices.draw("distance", ints(1, records));
    SyntheticStream stream = Streams.twice(records, distance);
    int[] first = new int[records];
    Arrays.fill(first, -1);
    int[] count = new int[records];
    int i = 0;
    for (long key : keys(stream)) {
      count[(int) key]++;
      if (first[(int) key] < 0) {
        first[(int) key] = i;
      } else {
        assertThat(i - first[(int) key]).isBetween((distance + 1) / 2, distance + 1);
      }
      i++;
    }
    for (int key = 0; key < records / 2; key++) {
      assertThat(count[key]).isEqualTo(2);
    }
    assertThat(stream.records()).isEqualTo(records);
  }

  private static long[] keys(SyntheticStream stream) {
    return LongStream.range(0, stream.records()).map(stream::key).toArray();
  }

  @Test
  void every_form_of_name_has_an_example_that_works_and_a_line_of_help() {
    assertThat(NamedStream.examples()).hasSize(10);
    for (String example : NamedStream.examples()) {
      NamedStream named = NamedStream.parse(example, SEED);
      assertThat(named.name()).isEqualTo(example);
      long wanted = Parse.count("records", example.split(":", -1)[1]);
      assertThat(named.stream().records()).isBetween(wanted - 1, wanted + 1);
      for (long i = 0; i < 1000; i++) {
        assertThat(named.stream().key(i)).isBetween(0L, named.stream().keySpace() - 1);
      }
      assertThat(String.join("\n", NamedStream.help()))
          .contains("  " + example.split(":", -1)[0] + ":RECORDS:");
    }
    assertThat(NamedStream.parse("LOOP:1K:100", SEED).stream().keySpace()).isEqualTo(100);
  }

  @Test
  void names_that_are_no_stream_are_rejected_in_words() {
    assertThatThrownBy(() -> NamedStream.parse("circle:10:5", SEED))
        .hasMessageStartingWith(
            "stream 'circle:10:5' is unknown; known: loop:RECORDS:KEYS, loop-noise:RECORDS:KEYS:NOISE%, ");
    assertThatThrownBy(() -> NamedStream.parse("loop:10", SEED))
        .hasMessage("stream 'loop:10' must be loop:RECORDS:KEYS, such as loop:1600000:400000");
    assertThatThrownBy(() -> NamedStream.parse("loop:10:x", SEED))
        .hasMessageStartingWith("stream 'loop:10:x' must be loop:RECORDS:KEYS")
        .hasMessageContaining("keys 'x' must be");
    assertThatThrownBy(() -> NamedStream.parse("zipf:10:5:steep", SEED))
        .hasMessageContaining("exponent 'steep' must be a number");
    assertThatThrownBy(() -> NamedStream.parse("loop:10:11", SEED))
        .hasMessage("keys (11) must be 1 to 10, the records");
    assertThatThrownBy(() -> NamedStream.parse("loop-noise:10:5:100", SEED))
        .hasMessage("noise (1.0) must be at least 0 and below 1");
    assertThatThrownBy(() -> NamedStream.parse("day-twice:10:6", SEED))
        .hasMessage("keys (6) must be 1 to 5, the records of a day");
    assertThatThrownBy(() -> NamedStream.parse("shift:10:5:5", SEED))
        .hasMessage("sets (5) must be at least 1 and below the keys (5)");
    assertThatThrownBy(() -> NamedStream.parse("twice:10:11", SEED))
        .hasMessage("distance (11) must be 1 to 10, the records");
  }

  @Test
  void uniform_draws_meet_their_expected_distinct_keys() {
    SyntheticStream stream = Streams.uniformWithDistinct(100_000, 60_000, SEED);
    BitSet seen = new BitSet();
    for (int i = 0; i < 100_000; i++) {
      seen.set((int) stream.key(i));
    }
    // The count of distinct keys varies by less than the square root of the records.
    assertThat(seen.cardinality()).isBetween(60_000 - 1000, 60_000 + 1000);
  }

  @Test
  void zipf_ranks_have_their_shares_for_any_exponent() {
    for (double exponent : new double[] {0.5, 1, 1.2, 3}) {
      int universe = 1000;
      int n = 200_000;
      SyntheticStream stream = Streams.zipf(n, universe, exponent, SEED);
      int[] counts = new int[universe];
      for (int i = 0; i < n; i++) {
        counts[(int) stream.key(i)]++;
      }
      double total = 0;
      for (int r = 1; r <= universe; r++) {
        total += Math.pow(r, -exponent);
      }
      for (int r : new int[] {1, 2, 3, 10, 100, 1000}) {
        double expected = n * Math.pow(r, -exponent) / total;
        // Five standard deviations of a Poisson count: 24 checks, odds 1.5e-5 for another seed.
        assertThat((double) counts[r - 1])
            .as("rank %d, exponent %s", r, exponent)
            .isCloseTo(expected, within(5 * Math.sqrt(expected) + 1));
      }
    }
  }

  @Test
  void repeats_lie_within_the_window_and_new_keys_are_their_own_number() {
    int n = 50_000;
    SyntheticStream stream = Streams.recency(n, 0.4, Streams.within(100), SEED);
    int fresh = 0;
    long[] last = new long[n];
    for (int i = 0; i < n; i++) {
      int key = (int) stream.key(i);
      if (key == i) {
        fresh++;
      } else {
        assertThat(i - last[key]).isBetween(1L, 100L);
      }
      last[key] = i;
    }
    // 60 % of 50,000 with a standard deviation of 110.
    assertThat(fresh).isBetween(30_000 - 550, 30_000 + 550);
  }

  @Test
  void half_of_the_distances_are_at_most_the_half_life() {
    SplitMix64 random = new SplitMix64(SEED);
    ToLongFunction<SplitMix64> halfLife = Streams.halfLife(1000);
    int near = 0;
    for (int i = 0; i < 100_000; i++) {
      near += halfLife.applyAsLong(random) <= 1000 ? 1 : 0;
    }
    assertThat(near).isBetween(50_000 - 800, 50_000 + 800);
  }

  @Test
  void impossible_streams_are_rejected_with_the_limit() {
    assertThatThrownBy(() -> Streams.shuffled(10, 11, 0))
        .hasMessage("distinct (11) must be 1 to 10, the records");
    assertThatThrownBy(() -> Streams.uniformWithDistinct(10, 10, 0))
        .hasMessage("distinct (10) must be 1 to 9, below the records");
    assertThatThrownBy(() -> Streams.uniform(10, 0, 0))
        .hasMessage("universe (0) must be at least 1");
    assertThatThrownBy(() -> Streams.zipf(10, 10, 0, 0))
        .hasMessage("exponent (0.0) must be above 0 and at most 100");
    assertThatThrownBy(() -> Streams.recency(10, 1, Streams.within(1), 0))
        .hasMessage("repeat share (1.0) must be at least 0 and below 1");
    assertThatThrownBy(() -> Streams.within(0)).hasMessage("window (0) must be at least 1");
    assertThatThrownBy(() -> Streams.halfLife(-1)).hasMessage("half-life (-1.0) must be above 0");
  }
}
