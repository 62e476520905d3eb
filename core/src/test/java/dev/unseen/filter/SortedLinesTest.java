package dev.unseen.filter;

import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.SplitMix64;
import dev.unseen.bits.Words;
import dev.unseen.hash.Mix;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SortedLinesTest {
  private static final int LINES = 256;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static RecencyFilter filter(double maxFpr) {
    FilterSpec spec = FilterSpec.builder(FilterKind.RECENCY, LINES * 64L).maxFpr(maxFpr).build();
    return (RecencyFilter) spec.build();
  }

  /** A third of the records are of some keys that come again and again, the others are new. */
  private static final class Popular {
    private final SplitMix64 random;
    private final int popular;

    Popular(long seed, int popular) {
      this.random = new SplitMix64(seed);
      this.popular = popular;
    }

    long next() {
      return random.chance(1, 3) ? Mix.mix(random.below(popular)) : random.next();
    }
  }

  private static RecencyFilter sorted(double maxFpr, long seed) {
    RecencyFilter filter = filter(maxFpr);
    Popular stream = new Popular(seed, 3000);
    for (int i = 0; i < 200_000; i++) {
      filter.admit(stream.next());
    }
    assertThat(sortedLines(filter)).hasSize(LINES - LINES / 16);
    return filter;
  }

  private static List<Long> sortedLines(RecencyFilter filter) {
    return LongStream.range(0, filter.lines)
        .filter(line -> filter.isSorted(chunk(filter, line), at(line)))
        .boxed()
        .toList();
  }

  private static long[] chunk(RecencyFilter filter, long line) {
    return filter.words.chunk(line * Lanes.WORDS);
  }

  private static int at(long line) {
    return Words.inChunk(line * Lanes.WORDS);
  }

  /** What a mark and a hand do, on lists; keys are equal if their fingerprints are. */
  @Property(tries = 200)
  void does_what_a_clock_does(Choices choices) {
    long seed = choices.draw("seed", longs());
    SortedLines sorted = LineForm.of(16, 1e-3, true).sorted();
    SplitMix64 random = new SplitMix64(seed);
    long[] line = new long[Lanes.WORDS];
    sorted.clear(line, 0);
    List<Long> keys = new ArrayList<>();
    List<Boolean> marks = new ArrayList<>();
    int hand = 0;
    for (int step = 0; step < 500; step++) {
      // Quotient and remainder: 40 x 4 keys, for a line of 38.
      long key = (random.below(40) << 10) | random.below(4);
      int found = keys.indexOf(key);
      assertThat(sorted.mark(line, 0, keys.size(), key)).isEqualTo(found >= 0);
      if (found >= 0) {
        marks.set(found, true);
      } else if (keys.size() < sorted.capacity()) {
        sorted.add(line, 0, keys.size(), key, false);
        insert(keys, marks, key);
      } else {
        boolean ages = random.chance(1, 2);
        sorted.replace(line, 0, hand, key, ages);
        if (!marks.contains(false)) {
          marks.replaceAll(mark -> false);
        }
        int victim = hand;
        while (marks.get(victim)) {
          marks.set(victim, !ages);
          victim = (victim + 1) % keys.size();
        }
        keys.remove(victim);
        marks.remove(victim);
        int lane = insert(keys, marks, key);
        hand = (lane <= victim ? victim + 1 : victim) % keys.size();
      }
      assertThat(header(line)).containsExactly(keys.size(), hand, levelOf(sorted));
      List<Long> marked = new ArrayList<>(keys);
      marked.removeIf(one -> !marks.get(keys.indexOf(one)));
      assertThat(sorted.part(line, 0, keys.size(), true).fingerprints())
          .containsExactly(marked.toArray(Long[]::new));
      assertThat(keys).allMatch(one -> sorted.holds(line, 0, keys.size(), one));
    }
  }

  private static int levelOf(SortedLines sorted) {
    long[] line = new long[Lanes.WORDS];
    sorted.clear(line, 0);
    return (int) (line[Lanes.WORDS - 1] >>> 60);
  }

  private static int insert(List<Long> keys, List<Boolean> marks, long key) {
    int lane = 0;
    while (lane < keys.size() && keys.get(lane) >>> 10 < key >>> 10) {
      lane++;
    }
    keys.add(lane, key);
    marks.add(lane, false);
    return lane;
  }

  /** All lines but the leaders, from which the target goes on learning. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
  void lines_are_sorted_where_keys_are_popular(double maxFpr) {
    RecencyFilter filter = sorted(maxFpr, 1);
    assertThat(sortedLines(filter)).noneMatch(line -> line % 16 == 0);
    assertThat(filter.load()).isEqualTo(filter.countLoad()).isEqualTo(1);
    assertThat(filter.estimatedFpr()).isBetween(0.4 * maxFpr, maxFpr);
    assertThat(filter.sortedLanesUsed())
        .isEqualTo((long) (LINES - LINES / 16) * filter.form.sorted().capacity());
  }

  @Test
  void lines_are_never_sorted_where_that_would_gain_little_or_order_was_asked_for() {
    FilterSpec.Builder spec = FilterSpec.builder(FilterKind.RECENCY, LINES * 64L);
    for (FilterSpec never :
        List.of(
            spec.maxFpr(1e-8).build(),
            spec.maxFpr(1e-3).refresh(Refresh.ALWAYS).build(),
            spec.refresh(Refresh.NEVER).build())) {
      RecencyFilter filter = (RecencyFilter) never.build();
      Popular stream = new Popular(1, 3000);
      for (int i = 0; i < 100_000; i++) {
        filter.admit(stream.next());
      }
      assertThat(sortedLines(filter)).isEmpty();
    }
  }

  /**
   * Of ten million new keys, as many are lost as estimated, which is no more than stated: within
   * five standard deviations of that count.
   */
  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-3, 1e-4})
  void the_largest_false_positive_rate_is_kept_by_sorted_lines(double maxFpr) {
    RecencyFilter filter = sorted(maxFpr, 2);
    SplitMix64 random = new SplitMix64(3);
    Popular stream = new Popular(4, 3000);
    long lost = 0;
    int keys = 10_000_000;
    for (int i = 0; i < keys; i++) {
      if (i % 16 == 0) { // so that the target stays where it is
        filter.admit(stream.next());
      }
      lost += filter.mightContain(random.next()) ? 1 : 0;
    }
    assertThat(sortedLines(filter)).hasSize(LINES - LINES / 16);
    double expected = filter.estimatedFpr() * keys;
    assertThat(expected).isLessThanOrEqualTo(maxFpr * keys);
    assertThat((double) lost)
        .isBetween(expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected));
  }

  /** Sorting a line, and putting it in order, keeps its keys: only surplus ones go. */
  @Property(tries = 100)
  void a_line_changes_over_without_a_loss(Choices choices) {
    long seed = choices.draw("seed", longs());
    LineForm form = LineForm.of(16, 1e-4, true);
    SortedLines sorted = form.sorted();
    int level = form.shapes().length - 1;
    Lanes inOrder = form.shapes()[level];
    SplitMix64 random = new SplitMix64(seed);
    long[] before = new long[Lanes.WORDS];
    long[] keys = new long[inOrder.count()];
    for (int i = 0; i < keys.length; i++) {
      do {
        keys[i] = form.fingerprints().of(random.next());
      } while (inOrder.find(before, 0, keys[i], inOrder.first(keys.length))
          >= 0); // all different, and none zero
      inOrder.set(before, 0, i, keys[i]);
    }
    int repeated = (int) random.below(keys.length + 1);
    long[] line = new long[Lanes.WORDS];
    sorted.sort(line, 0, inOrder, before, keys.length, repeated);
    assertThat(LongStream.of(keys).allMatch(key -> sorted.holds(line, 0, keys.length, key)))
        .isTrue();

    long[] after = new long[Lanes.WORDS];
    sorted.putInOrder(after, 0, inOrder, line, keys.length, 0);
    assertThat(header(after)).containsExactly(keys.length, repeated, level);
    for (int i = 0; i < keys.length; i++) {
      int lane = inOrder.find(after, 0, keys[i], inOrder.first(keys.length));
      int news = keys.length - repeated;
      assertThat(lane).isBetween(i < news ? 0 : news, (i < news ? news : keys.length) - 1);
    }
  }

  private static int[] header(long[] line) {
    long word = line[LineHeader.WORD];
    return new int[] {LineHeader.used(word), LineHeader.repeated(word), LineHeader.level(word)};
  }

  /** First those of the repeated that are more than the target, then the new. */
  @Test
  void what_does_not_fit_goes_as_the_target_says() {
    assertThat(inOrder(10, 20)).isEqualTo(10); // of 30 keys, 26 fit: 4 new ones go
    assertThat(inOrder(16, 14)).isEqualTo(14); // two down to the target, then two new ones
    assertThat(inOrder(22, 8)).isEqualTo(18);
    assertThat(inOrder(30, 14)).isEqualTo(26);
    assertThat(inOrder(28, 30)).isEqualTo(26);
  }

  private static int inOrder(int marked, int mostRepeated) {
    LineForm form = LineForm.of(16, 1e-4, true);
    long[] line = new long[Lanes.WORDS];
    form.sorted().clear(line, 0);
    SplitMix64 random = new SplitMix64(8);
    for (int i = 0; i < 30; i++) {
      form.sorted().add(line, 0, i, form.fingerprints().of(random.next()), i < marked);
    }
    Lanes lanes = form.shapes()[form.shapes().length - 1];
    long[] after = new long[Lanes.WORDS];
    form.sorted().putInOrder(after, 0, lanes, line, 30, mostRepeated);
    assertThat((after[Lanes.WORDS - 1] >>> 48) & 63).isEqualTo(26);
    return (int) ((after[Lanes.WORDS - 1] >>> 54) & 63);
  }

  /** A stream whose repeats are recent brings the target down, and all lines back in order. */
  @Test
  void lines_are_put_back_in_order_when_the_stream_changes() {
    RecencyFilter filter = sorted(1e-4, 5);
    SplitMix64 random = new SplitMix64(6);
    int window = LINES * 512 / 36;
    long[] keys = new long[1_000_000];
    int repeats = 0;
    int missed = 0;
    for (int i = 0; i < keys.length; i++) {
      boolean repeat = i > 0 && random.chance(1, 2);
      keys[i] = repeat ? keys[i - 1 - (int) random.below(Math.min(i, window))] : random.next();
      boolean fresh = filter.admit(keys[i]);
      if (repeat && i > keys.length / 2) {
        repeats++;
        missed += fresh ? 1 : 0;
      }
    }
    assertThat(sortedLines(filter)).isEmpty();
    assertThat(filter.load()).isEqualTo(filter.countLoad()).isEqualTo(1);
    assertThat((double) missed / repeats).isLessThan(0.01);
  }

  /** More popular keys than memory holds: it keeps as many as it can, and not the latest ones. */
  @Test
  void popular_keys_are_remembered_among_many_others() {
    assertThat(missed(Refresh.ADAPTIVE)).isLessThan(0.4 * missed(Refresh.ALWAYS));
  }

  private static double missed(Refresh refresh) {
    DuplicateFilter filter =
        FilterSpec.builder(FilterKind.RECENCY, LINES * 64L)
            .maxFpr(1e-3)
            .refresh(refresh)
            .build()
            .build();
    SplitMix64 random = new SplitMix64(9);
    int missed = 0;
    int repeats = 0;
    for (int i = 0; i < 400_000; i++) {
      boolean popular = random.chance(1, 3);
      boolean fresh = filter.admit(popular ? Mix.mix(random.below(6000)) : random.next());
      if (popular && i > 100_000) {
        repeats++;
        missed += fresh ? 1 : 0;
      }
    }
    return (double) missed / repeats;
  }

  /** Of 650,000 records, and of the lines that change over and back. */
  @Test
  void nothing_is_allocated_per_record_when_lines_change_over_and_back() {
    RecencyFilter filter = filter(1e-3);
    Popular popular = new Popular(21, 3000);
    SplitMix64 random = new SplitMix64(22);
    long[] recent = new long[2000];
    Runnable work =
        () -> {
          for (int i = 0; i < 150_000; i++) {
            filter.admit(popular.next());
          }
          for (int i = 0; i < 500_000; i++) {
            int at = (int) random.below(recent.length);
            recent[at] = random.chance(1, 2) ? recent[at] : random.next();
            filter.admit(recent[at]);
          }
        };
    work.run();
    assertThat(sortedLines(filter)).isEmpty();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    work.run();
    // An object for each of the 480 changes would be 7,680 bytes; recompiling can cost the thread
    // some.
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(4000);
  }

  /** Marked keys of both come first; what is left over of room goes to the others. */
  @Test
  void sorted_lines_are_joined_with_sorted_ones_and_with_lines_in_order() {
    RecencyFilter a = sorted(1e-4, 11);
    RecencyFilter b = filter(1e-4);
    long[] few = LongStream.range(0, 1500).map(i -> Mix.mix(~i)).toArray();
    for (long hash : few) {
      b.admit(hash);
      b.admit(hash);
    }
    assertThat(sortedLines(b)).isEmpty();
    FilterMerge.mergeInto(a, b);
    assertThat(LongStream.of(few).filter(a::mightContain).count())
        .as("of 1500 that came twice")
        .isGreaterThan(1000);
    assertThat(LongStream.range(0, 3000).filter(i -> a.mightContain(Mix.mix(i))).count())
        .as("of 3000 popular ones")
        .isGreaterThan(2000);
    sound(a);

    RecencyFilter c = sorted(1e-4, 12);
    FilterMerge.mergeInto(c, a);
    assertThat(LongStream.range(0, 3000).filter(i -> c.mightContain(Mix.mix(i))).count())
        .as("of 3000 that are popular in both")
        .isGreaterThan(2500);
    sound(c);
    FilterMerge.mergeInto(b, c);
    sound(b);
  }

  private static void sound(RecencyFilter filter) {
    assertThat(sortedLines(filter)).hasSize(LINES - LINES / 16);
    assertThat(filter.load()).isEqualTo(filter.countLoad());
    assertThat(filter.estimatedFpr()).isLessThanOrEqualTo(filter.spec().maxFpr());
    Popular stream = new Popular(13, 3000);
    for (int i = 0; i < 50_000; i++) {
      long hash = stream.next();
      boolean held = filter.mightContain(hash);
      assertThat(filter.admit(hash)).isEqualTo(!held);
      assertThat(filter.mightContain(hash)).isTrue();
    }
    assertThat(filter.load()).isEqualTo(filter.countLoad());
  }
}
