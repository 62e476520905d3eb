package dev.unseen.lab.rival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.bits.SplitMix64;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.lab.rival.QueueTable.Hit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What holds for every contestant, and for each rival what its paper promises. Seeds are fixed.
 * Rates are held to five standard errors, or 2 % where a formula is an average over time: another
 * seed would fail one of them in fewer than 1 of 100,000 cases.
 */
final class RivalsTest {
  private static final Hash64 HASH = HashKind.XXH3.create(11);

  static Stream<ContestantFamily> families() {
    return ContestantFamily.all().stream();
  }

  /** Few settings of each family: the first, the middle and the last. */
  private static List<Setting> some(ContestantFamily family, long memoryBytes) {
    List<Setting> all = family.settings(Arena.of(memoryBytes));
    return IntStream.of(0, all.size() / 2, all.size() - 1).distinct().mapToObj(all::get).toList();
  }

  @ParameterizedTest
  @MethodSource("families")
  void the_memory_is_a_cap_that_is_nearly_used(ContestantFamily family) {
    for (long bytes : new long[] {64, 1000, 13_697, 1 << 20}) {
      for (Setting setting : family.settings(Arena.of(bytes))) {
        Contestant contestant = setting.build(5);
        for (int i = 0; i < 200; i++) {
          contestant.admit(HASH.hash(i));
        }
        assertThat(contestant.memoryBytes()).as(setting.describe()).isBetween(1L, bytes);
        if (bytes > 10_000) {
          assertThat(contestant.memoryBytes()).as(setting.describe()).isGreaterThan(bytes - 512);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("families")
  void settings_have_names_of_their_own(ContestantFamily family) {
    List<Setting> settings = family.settings(Arena.of(8192));
    assertThat(settings).isNotEmpty();
    assertThat(settings.stream().map(Setting::parameters)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("families")
  void the_same_seed_gives_the_same_verdicts(ContestantFamily family) {
    if (family.label().equals("Caffeine")) {
      return; // draws random numbers of its own
    }
    for (Setting setting : some(family, 4096)) {
      assertThat(verdicts(setting.build(5)))
          .as(setting.describe())
          .isEqualTo(verdicts(setting.build(5)));
    }
  }

  private static List<Boolean> verdicts(Contestant contestant) {
    SplitMix64 random = new SplitMix64(3);
    List<Boolean> verdicts = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      verdicts.add(contestant.admit(HASH.hash(random.below(8000))));
    }
    return verdicts;
  }

  @ParameterizedTest
  @MethodSource("families")
  void a_key_just_seen_is_a_duplicate(ContestantFamily family) {
    if (family.role() == Role.PAPER || family.id().equals("sampled")) {
      return; // they may forget at once, or not take in every key
    }
    for (Setting setting : some(family, 4096)) {
      Contestant contestant = setting.build(5);
      assertThat(contestant.admit(HASH.hash(0))).as(setting.describe()).isTrue();
      assertThat(contestant.admit(HASH.hash(0))).as(setting.describe()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void a2_misses_none_of_its_last_n_keys(int k) {
    DoubleBufferFilter filter = new DoubleBufferFilter(4096, k, 0.5, 7);
    assertThat(filter.capacity()).isEqualTo((long) (16384 * Math.log(2) / k));
    assertThat(missedWithin(filter, filter.capacity())).isZero();
    // And no more: at twice the window many are gone.
    assertThat(missedWithin(new DoubleBufferFilter(4096, 10, 0.5, 7), 4 * 1135)).isPositive();
  }

  @Test
  void apbf_that_refreshes_misses_none_of_its_window() {
    // Refreshed from age 4 of 8 on, so that at least 8 - 4 generations are left.
    AgePartitionedFilter filter = new AgePartitionedFilter(4096, 6, 8, 4, 7);
    assertThat(missedWithin(filter, 4 * filter.generation())).isZero();
    AgePartitionedFilter beyond = new AgePartitionedFilter(4096, 6, 8, 4, 7);
    assertThat(missedWithin(beyond, 20 * beyond.generation())).isPositive();
  }

  /** Half of the records repeat one of the last {@code window}; how many of those are admitted. */
  private static long missedWithin(Contestant contestant, long window) {
    SplitMix64 random = new SplitMix64(1);
    long[] keys = new long[100_000];
    long missed = 0;
    for (int i = 0; i < keys.length; i++) {
      boolean repeats = i > 0 && random.chance(1, 2);
      keys[i] = repeats ? keys[(int) (i - 1 - random.below(Math.min(i, window - 1)))] : i;
      missed += contestant.admit(HASH.hash(keys[i])) && repeats ? 1 : 0;
    }
    return missed;
  }

  @Test
  void apbf_finds_what_it_inserted_until_l_generations_have_passed() {
    AgePartitionedFilter filter = new AgePartitionedFilter(4096, 5, 7, 0, 7);
    long window = 7 * filter.generation();
    List<Long> inserted = new ArrayList<>();
    for (long key = 0; key < 50_000; key++) {
      if (filter.admit(HASH.hash(key))) {
        inserted.add(key);
      }
      if (inserted.size() > window) {
        long oldest = inserted.get((int) (inserted.size() - window));
        assertThat(filter.admit(HASH.hash(oldest))).as("key %d at %d", oldest, key).isFalse();
      }
    }
    long gone = inserted.get((int) (inserted.size() - 3 * window));
    assertThat(filter.admit(HASH.hash(gone))).isTrue();
  }

  @Test
  void a2_has_the_false_positives_of_its_formula() {
    near(new DoubleBufferFilter(1 << 15, 5, 0.5, 3), DoubleBufferFilter.steadyFpr(5, 0.5), 0.02);
    near(new DoubleBufferFilter(1 << 15, 7, 0.6, 3), DoubleBufferFilter.steadyFpr(7, 0.6), 0.02);
    // The most is at the change of the buffers: twice 2^-k less their product.
    assertThat(DoubleBufferFilter.steadyFpr(5, 0.5)).isBetween(0x1p-5, 2 * 0x1p-5);
  }

  @Test
  void apbf_has_the_false_positives_of_its_formula() {
    // The formula is for keys that are all inserted. Those taken for duplicates are not, and the
    // others, which lack a bit, set more: by up to the rate itself.
    near(new AgePartitionedFilter(1 << 15, 4, 3, 0, 3), AgePartitionedFilter.steadyFpr(4, 3), 0.09);
    near(
        new AgePartitionedFilter(1 << 15, 8, 16, 0, 3),
        AgePartitionedFilter.steadyFpr(8, 16),
        0.02);
    // Two slices, one hash: 1 - (mean of 2^-u) / 2 with u from 0 to 1.
    assertThat(AgePartitionedFilter.steadyFpr(1, 1))
        .isCloseTo(1 - 1 / (4 * Math.log(2)), within(1e-3));
  }

  @Test
  void quotient_tables_have_the_false_positives_of_their_formulas() {
    near(new QueueTable(1 << 14, 4, 8, 0, Hit.ENTERS_AGAIN, 3), BucketTable.fullFpr(4, 8), 0.005);
    near(new QueueTable(1 << 14, 8, 9, 0, Hit.STAYS, 3), BucketTable.fullFpr(8, 9), 0.005);
    near(
        new StreamingQuotientFilter(1 << 14, 4, 12, 6, 3),
        StreamingQuotientFilter.fullFpr(4, 12, 6),
        0.005);
  }

  @Test
  void cuckoo_has_the_false_positives_of_its_formula() {
    near(new CuckooFilter(1 << 14, 4, 10, 50, 3), BucketTable.fullFpr(8, 10), 0.005);
  }

  @Test
  void set_slru_has_the_false_positives_of_its_formula() {
    near(
        new QueueTable(1 << 14, 16, 10, 10, Hit.MOVES_TO_FRONT, 3),
        BucketTable.fullFpr(16, 10),
        0.005);
  }

  @Test
  void clocks_have_the_false_positives_of_their_formulas() {
    near(new ClockQuotientFilter(1 << 14, 6, 3), ClockQuotientFilter.fullFpr(6), 0.005);
    ClockLines.Shape shape = ClockLines.Shape.of(1e-2);
    // Quotients are equally likely only within a few percent.
    near(new ClockLines(1 << 14, shape, 3), shape.fullFpr(), 0.02);
  }

  @Test
  void rolling_bloom_has_the_false_positives_of_its_formula() {
    near(new RollingBloomFilter(1 << 15, 0.03, 3), RollingBloomFilter.steadyFpr(0.03), 0.03);
    // At the end of a generation it is the rate that was asked for, and it is less before.
    assertThat(RollingBloomFilter.steadyFpr(0.03)).isBetween(0.01, 0.03);
  }

  /** New keys without end, after as many as fill it. */
  private static void near(Contestant contestant, double expected, double slack) {
    int warmUp = 200_000;
    int keys = 1_000_000;
    long falsePositives = 0;
    for (int i = 0; i < warmUp + keys; i++) {
      falsePositives += !contestant.admit(HASH.hash(i)) && i >= warmUp ? 1 : 0;
    }
    double error = Math.sqrt(expected * (1 - expected) / keys);
    double rate = (double) falsePositives / keys;
    assertThat(rate)
        .isBetween(expected * (1 - slack) - 5 * error, expected * (1 + slack) + 5 * error);
  }

  @Test
  void a_cell_of_qqhtd_is_a_queue_that_duplicates_join() {
    // One cell: 64 bytes hold one bucket of 16 slots of 24 bits.
    QueueTable with = new QueueTable(64, 16, 24, 0, Hit.ENTERS_AGAIN, 1);
    QueueTable without = new QueueTable(64, 16, 24, 0, Hit.STAYS, 1);
    for (int i = 0; i < 16; i++) {
      assertThat(with.admit(HASH.hash(i))).isTrue();
      assertThat(without.admit(HASH.hash(i))).isTrue();
    }
    for (int i = 0; i < 16; i++) {
      assertThat(without.admit(HASH.hash(5))).isFalse(); // changes nothing
    }
    assertThat(with.admit(HASH.hash(5))).isFalse(); // joins, and pushes out 0
    assertThat(with.admit(HASH.hash(0))).isTrue();
    assertThat(without.admit(HASH.hash(0))).isFalse();
    without.admit(HASH.hash(16)); // pushes out 0, the oldest
    assertThat(without.admit(HASH.hash(1))).isFalse();
    assertThat(without.admit(HASH.hash(0))).isTrue();
  }

  @Test
  void a_cuckoo_filter_with_room_misses_nothing_and_drops_one_key_for_each_one_too_many() {
    // 8192 slots of 16 bits; at 85 % even a cuckoo table of b=4 has found a place for all.
    CuckooFilter filter = new CuckooFilter(1 << 14, 4, 16, 500, 9);
    Set<Long> admitted = new LinkedHashSet<>();
    for (long key = 0; key < 6963; key++) {
      if (filter.admit(HASH.hash(key))) {
        admitted.add(key);
      }
    }
    assertThat(admitted).hasSizeGreaterThan(6950);
    assertThat(admitted).noneMatch(key -> filter.admit(HASH.hash(key)));
  }

  @Test
  void sqf_takes_remainders_with_equal_ones_and_equal_reduced_bits_for_the_same() {
    // r = r' keeps the remainder whole: the formula is that of a plain fingerprint then.
    assertThat(StreamingQuotientFilter.fullFpr(1, 8, 8)).isCloseTo(0x1p-8, within(1e-12));
    // Two more bits, counted: equal in 6 of 16 cases.
    assertThat(StreamingQuotientFilter.fullFpr(1, 10, 8)).isCloseTo(0x1p-8 * 6 / 16, within(1e-12));
    assertThat(StreamingQuotientFilter.signatureBits(10, 8)).isEqualTo(12);
    assertThat(StreamingQuotientFilter.signatureBits(16, 8)).isEqualTo(13);
  }

  @Test
  void lru_is_exact_about_the_last_distinct_keys() {
    ExactSet set = ExactSet.lru(100 * 8, 8);
    LinkedHashSet<Long> oracle = new LinkedHashSet<>();
    SplitMix64 random = new SplitMix64(5);
    for (int i = 0; i < 20_000; i++) {
      long key = random.below(200);
      boolean fresh = !oracle.remove(key);
      oracle.add(key);
      if (oracle.size() > 100) {
        oracle.remove(oracle.iterator().next());
      }
      assertThat(set.admit(key)).isEqualTo(fresh);
    }
  }

  @Test
  void caffeine_has_no_false_positives_and_keeps_to_its_entries() {
    ExactSet set = ExactSet.caffeine(64 * 500, 64);
    Set<Long> seen = new HashSet<>();
    SplitMix64 random = new SplitMix64(5);
    long hits = 0;
    for (int i = 0; i < 50_000; i++) {
      long key = random.below(2000);
      boolean admitted = set.admit(key);
      assertThat(admitted || seen.contains(key)).isTrue();
      seen.add(key);
      hits += admitted ? 0 : 1;
    }
    // A set of 500 of 2000 keys finds a quarter; five standard errors, and a little for the window.
    assertThat(hits / 50_000.0).isBetween(0.22, 0.27);
  }

  @Test
  void a_bucket_of_set_slru_protects_keys_that_came_again() {
    // One bucket: 64 bytes hold one of 16 places of 24 bits.
    QueueTable set = new QueueTable(64, 16, 24, 10, Hit.MOVES_TO_FRONT, 1);
    for (int i = 0; i < 10; i++) {
      assertThat(set.admit(HASH.hash(i))).isTrue();
      assertThat(set.admit(HASH.hash(i))).isFalse(); // moves to the front
    }
    for (int i = 100; i < 1000; i++) {
      assertThat(set.admit(HASH.hash(i))).isTrue(); // use the last six places only
    }
    for (int i = 0; i < 10; i++) {
      assertThat(set.admit(HASH.hash(i))).as("key %d", i).isFalse();
    }
    assertThat(set.admit(HASH.hash(994))).isFalse();
    assertThat(set.admit(HASH.hash(993))).isTrue();
  }

  @Test
  void a_bucket_of_set_slru_that_keys_enter_at_the_front_is_lru() {
    QueueTable set = new QueueTable(64, 16, 24, 0, Hit.MOVES_TO_FRONT, 1);
    ExactSet lru = ExactSet.lru(16 * 8, 8);
    SplitMix64 random = new SplitMix64(5);
    for (int i = 0; i < 20_000; i++) {
      long hash = HASH.hash(random.below(32));
      assertThat(set.admit(hash)).isEqualTo(lru.admit(hash));
    }
  }

  @Test
  void qf_clock_forgets_nothing_up_to_95_percent_of_its_slots() {
    ClockQuotientFilter filter = new ClockQuotientFilter(32_768, 16, 7);
    long slots = (long) (32_768 * 8 / 19.125); // r + 2.125 bits, and the mark
    long capacity = (long) (0.95 * slots);
    List<Long> admitted = new ArrayList<>();
    for (long key = 0; key < capacity; key++) {
      if (filter.admit(HASH.hash(key))) {
        admitted.add(key);
      }
    }
    assertThat(admitted).noneMatch(key -> filter.admit(HASH.hash(key)));
  }

  @Test
  void qf_clock_finds_only_keys_that_it_has_stored_and_stays_full() {
    // Few slots and long remainders: every key has a fingerprint of its own.
    ClockQuotientFilter filter = new ClockQuotientFilter(1000, 16, 7);
    int capacity = (int) (0.95 * (long) (1000 * 8 / 19.125));
    SplitMix64 random = new SplitMix64(5);
    Set<Long> stored = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      long key = random.below(600);
      boolean fresh = filter.admit(HASH.hash(key));
      assertThat(fresh || stored.contains(key)).isTrue();
      stored.add(key);
    }
    // As many as it has room for are found, whatever the order was.
    long found = IntStream.range(0, 600).filter(key -> !admits(filter, key)).count();
    assertThat(found).isBetween((long) (0.5 * capacity), (long) capacity);
  }

  @Test
  void qf_clock_spares_keys_that_come_again_and_never_runs_out_of_slots() {
    ClockQuotientFilter filter = new ClockQuotientFilter(50_000, 12, 7);
    long missed = 0;
    for (int i = 0; i < 500_000; i++) {
      admits(filter, 1_000_000 + i); // new ones, which fill and leave it twenty times
      missed += admits(filter, i % 5000) && i >= 5000 ? 1 : 0;
    }
    // 5000 of its 25,000 keys come again every 5000 records, a quarter of a round of the hand.
    assertThat(missed / 495_000.0).isLessThan(0.01);
  }

  private static boolean admits(Contestant contestant, long key) {
    return contestant.admit(HASH.hash(key));
  }

  @Test
  void a_clock_line_has_38_lanes_at_one_in_a_thousand() {
    assertThat(ClockLines.Shape.of(1e-3).lanes()).isEqualTo(38);
    assertThat(ClockLines.Shape.of(1e-3).fullFpr()).isLessThanOrEqualTo(1e-3);
    assertThat(ClockLines.Shape.of(1e-4).lanes()).isEqualTo(30);
  }

  @Test
  void the_hand_of_a_clock_line_spares_a_key_that_came_again_for_one_round() {
    ClockLines line = new ClockLines(64, ClockLines.Shape.of(1e-5), 1);
    int lanes = ClockLines.Shape.of(1e-5).lanes();
    for (int i = 0; i < lanes; i++) {
      assertThat(line.admit(HASH.hash(i))).isTrue();
    }
    for (int i = 0; i < lanes; i += 2) {
      assertThat(line.admit(HASH.hash(i))).isFalse(); // gets a mark
    }
    for (int i = 0; i < lanes / 2; i++) {
      assertThat(line.admit(HASH.hash(1000 + i))).isTrue();
    }
    // A new key can take a place in front of the hand, and be the next to be replaced; but no key
    // with a mark is replaced before all without one are.
    long kept = IntStream.range(0, lanes).filter(i -> i % 2 == 0 && !admits(line, i)).count();
    assertThat(kept).isEqualTo((lanes + 1) / 2);
  }

  @Test
  void rolling_bloom_finds_what_it_inserted_until_two_generations_have_passed() {
    RollingBloomFilter filter = new RollingBloomFilter(4096, 1e-3, 7);
    int window = (int) (2 * filter.perGeneration());
    List<Long> inserted = new ArrayList<>();
    for (long key = 0; key < 50_000; key++) {
      if (filter.admit(HASH.hash(key))) {
        inserted.add(key);
      }
      if (inserted.size() >= window) {
        long oldest = inserted.get(inserted.size() - window);
        assertThat(filter.admit(HASH.hash(oldest))).as("key %d at %d", oldest, key).isFalse();
      }
    }
    assertThat(filter.admit(HASH.hash(inserted.get(inserted.size() - 2 * window)))).isTrue();
  }

  @Test
  void rolling_bloom_is_sized_as_in_bitcoin_core() {
    // 50,000 elements at 1e-6: 20 hashes, and cells for 75,000, which its formula makes 2,156,638.
    double cells = Math.ceil(-20 * 75_000.0 / Math.log1p(-Math.pow(1e-6, 1 / 20.0)));
    long bytes = (long) Math.ceil(cells / 32) * 8;
    assertThat(RollingBloomFilter.hashes(1e-6)).isEqualTo(20);
    assertThat(new RollingBloomFilter(bytes, 1e-6, 7).perGeneration()).isBetween(25_000L, 25_001L);
  }
}
