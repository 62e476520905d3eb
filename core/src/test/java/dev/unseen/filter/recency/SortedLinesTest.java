package dev.unseen.filter.recency;

import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.FilterMerge;
import dev.unseen.filter.engine.Filters;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
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
    return (RecencyFilter) Filters.create(spec);
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
    assertThat(sortedLines(filter)).hasSize((int) filter.lines - LINES / 16);
    return filter;
  }

  private static List<Long> sortedLines(RecencyFilter filter) {
    return LongStream.range(0, filter.lines)
        .filter(
            line -> {
              long header = filter.words.get(line * Lanes.WORDS + Lines.HEADER_WORD);
              return filter.level(header) == filter.form.shapes().length;
            })
        .boxed()
        .toList();
  }

  private static SortedLines lines(LineForm form, Target target) {
    return new SortedLines(form.sorted(), form.shapes().length, target, new long[Lanes.WORDS]);
  }

  private static FillingLines filling(LineForm form) {
    return new FillingLines(form.shapes(), Refresh.ADAPTIVE, new long[Lanes.WORDS]);
  }

  private static Target target(LineForm form, int lanes) {
    Target target = new Target(form.narrowest().count(), 1 << 30, true);
    target.set((long) lanes << 32);
    return target;
  }

  private static int[] header(long[] line) {
    long word = line[Lines.HEADER_WORD];
    return new int[] {Lines.first(word), Lines.second(word), Lines.level(word)};
  }

  /** What a mark and a hand do, on lists; keys are equal if their fingerprints are. */
  @Property(tries = 200)
  void does_what_a_clock_does(Choices choices) {
    long seed = choices.draw("seed", longs());
    LineForm form = LineForm.of(16, 1e-3, true);
    SortedLines sorted = lines(form, target(form, 0));
    SplitMix64 random = new SplitMix64(seed);
    long[] line = new long[Lanes.WORDS];
    sorted.write(line, 0, new LineKeys(new long[0], new long[0]));
    List<Long> keys = new ArrayList<>();
    List<Boolean> marks = new ArrayList<>();
    int hand = 0;
    for (int step = 0; step < 500; step++) {
      // Quotient and remainder: 40 x 4 keys, for a line of 38.
      long key = (random.below(40) << 10) | random.below(4);
      int found = keys.indexOf(key);
      long header = line[Lines.HEADER_WORD];
      int lane = sorted.find(line, 0, header, key);
      assertThat(lane).isEqualTo(found);
      if (found >= 0) {
        sorted.repeat(line, 0, header, lane, key);
        marks.set(found, true);
      } else if (keys.size() < sorted.capacity()) {
        sorted.add(line, 0, header, key);
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
        int entered = insert(keys, marks, key);
        hand = (entered <= victim ? victim + 1 : victim) % keys.size();
      }
      assertThat(header(line)).containsExactly(keys.size(), hand, form.shapes().length);
      List<Long> marked = new ArrayList<>(keys);
      marked.removeIf(one -> !marks.get(keys.indexOf(one)));
      long after = line[Lines.HEADER_WORD];
      assertThat(sorted.repeatedKeys(line, 0, after)).containsExactly(marked.toArray(Long[]::new));
      assertThat(keys).allMatch(one -> sorted.find(line, 0, after, one) >= 0);
    }
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
    assertThat(sortedLines(filter)).noneMatch(line -> line % 16 == 8);
    assertThat(filter.load()).isEqualTo(filter.countLoad()).isEqualTo(1);
    assertThat(filter.estimatedFpr()).isBetween(0.4 * maxFpr, maxFpr);
    assertThat(filter.lanesUsedAt(filter.form.shapes().length))
        .isEqualTo((filter.lines - LINES / 16) * filter.form.sorted().count());
  }

  @Test
  void lines_are_never_sorted_where_order_was_asked_for() {
    FilterSpec.Builder spec = FilterSpec.builder(FilterKind.RECENCY, LINES * 64L);
    for (FilterSpec never :
        List.of(
            spec.maxFpr(1e-3).refresh(Refresh.ALWAYS).build(),
            spec.refresh(Refresh.NEVER).build())) {
      RecencyFilter filter = (RecencyFilter) Filters.create(never);
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
    assertThat(sortedLines(filter)).hasSize((int) filter.lines - LINES / 16);
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
    SortedLines sorted = lines(form, target(form, 0));
    Lanes inOrder = form.narrowest();
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
    long[] line = before.clone();
    sorted.sort(line, 0, inOrder, repeated);
    long header = line[Lines.HEADER_WORD];
    assertThat(LongStream.of(keys).allMatch(key -> sorted.find(line, 0, header, key) >= 0))
        .isTrue();

    sorted.putInOrder(line, 0, inOrder, filling(form));
    assertThat(header(line)).containsExactly(0, repeated, Lines.FULL);
    for (int i = 0; i < keys.length; i++) {
      int lane = inOrder.find(line, 0, keys[i], inOrder.first(keys.length));
      int news = keys.length - repeated;
      assertThat(lane).isBetween(i < news ? 0 : news, (i < news ? news : keys.length) - 1);
    }
  }

  /** Ends the time in which a filter keeps its keys. */
  private static void replaces(RecencyFilter filter) {
    while (filter.retention.isOpen()) {
      filter.retention.comesAgainEarly();
    }
  }

  /** Sorting cuts fingerprints: what the line in order did not hold is new all the same. */
  @Test
  void a_key_that_is_new_to_a_full_line_is_new_when_that_is_sorted() {
    RecencyFilter filter = filter(1e-8);
    int kept = filter.form.fingerprints().bits();
    assertThat(filter.form.narrowest().width()).isGreaterThan(kept);
    replaces(filter);
    long line = Lanes.WORDS; // line 1, which is no leader
    int count = filter.form.narrowest().count();
    for (long key = 1; key <= count; key++) {
      assertThat(filter.take(line, line, key, DuplicateFilter.NOW)).isEqualTo(LineFilter.ADMITTED);
    }
    filter.target.set((long) count << 32);
    assertThat(filter.take(line, line, 1 | (1L << kept), DuplicateFilter.NOW))
        .isEqualTo(LineFilter.ADMITTED);
    assertThat(sortedLines(filter)).containsExactly(1L);
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
    SplitMix64 random = new SplitMix64(8);
    SortedLines sorted = lines(form, target(form, mostRepeated));
    LongSupplier next = () -> form.fingerprints().of(random.next());
    long[] repeated = LongStream.generate(next).limit(marked).toArray();
    long[] news = LongStream.generate(next).limit(30 - marked).toArray();
    sorted.write(line, 0, new LineKeys(news, repeated));
    sorted.putInOrder(line, 0, form.narrowest(), filling(form));
    assertThat(Lines.isFull(line[Lines.HEADER_WORD])).isTrue();
    return FullLines.repeated(line[Lines.HEADER_WORD]);
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
        Filters.create(
            FilterSpec.builder(FilterKind.RECENCY, LINES * 64L)
                .maxFpr(1e-3)
                .refresh(refresh)
                .build());
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

  /** All lines are sorted by a merge, but the leaders are soon in order again. */
  private static void sound(RecencyFilter filter) {
    assertThat(sortedLines(filter)).hasSize((int) filter.lines);
    assertThat(filter.load()).isEqualTo(filter.countLoad());
    assertThat(filter.estimatedFpr()).isLessThanOrEqualTo(filter.spec().maxFpr());
    Popular stream = new Popular(13, 3000);
    for (int i = 0; i < 50_000; i++) {
      long hash = stream.next();
      boolean held = filter.mightContain(hash);
      assertThat(filter.admit(hash)).isEqualTo(!held);
      assertThat(filter.mightContain(hash)).isTrue();
    }
    assertThat(sortedLines(filter)).hasSize((int) filter.lines - LINES / 16);
    assertThat(filter.load()).isEqualTo(filter.countLoad());
  }
}
