package dev.unseen.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.lab.rival.Contestant;
import dev.unseen.lab.stream.Streams;
import dev.unseen.lab.stream.SyntheticStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class TrialTest {
  /** Counted one by one with a set, as naively as can be. */
  @Test
  void counts_what_a_naive_count_finds_at_every_checkpoint() {
    SyntheticStream stream = Streams.shuffled(30_000, 18_000, 3);
    FilterSpec spec = FilterSpec.builder(FilterKind.RLBSBF, 4000).seed(8).build();
    AtomicLong passed = new AtomicLong();
    long[] checkpoints = {1, 5000, 5001, 30_000};
    FilterSpec beside = FilterSpec.builder(FilterKind.BLOOM, 9000).seed(8).build();
    List<Tally> tallies =
        SyntheticTrial.run(
                stream,
                List.of(Filters.create(beside), Filters.create(spec)),
                checkpoints,
                passed::addAndGet)
            .get(1);
    assertThat(passed).hasValue(30_000);

    DuplicateFilter filter = Filters.create(spec);
    Hash64 hash = HashKind.XXH3.create(8);
    Set<Long> seen = new HashSet<>();
    long falsePositives = 0;
    long falseNegatives = 0;
    int next = 0;
    for (int i = 0; i < 30_000; i++) {
      boolean fresh = seen.add(stream.key(i));
      boolean admitted = filter.admit(hash.hash(stream.key(i)));
      falsePositives += fresh && !admitted ? 1 : 0;
      falseNegatives += !fresh && admitted ? 1 : 0;
      if (i + 1 == checkpoints[next]) {
        assertThat(tallies.get(next))
            .isEqualTo(
                new Tally(i + 1, seen.size(), falsePositives, falseNegatives, filter.load()));
        next++;
      }
    }
    assertThat(next).isEqualTo(4);
    assertThat(falsePositives).isPositive();
    assertThat(falseNegatives).isPositive();
  }

  @Test
  void a_held_stream_gives_the_counts_of_one_that_is_computed_as_it_runs() {
    SyntheticStream stream = Streams.shuffled(30_000, 18_000, 3);
    FilterSpec spec = FilterSpec.builder(FilterKind.RLBSBF, 4000).seed(8).build();
    Tally computed =
        SyntheticTrial.run(stream, List.of(Filters.create(spec)), new long[] {30_000}, any -> {})
            .get(0)
            .get(0);
    HeldStream held = HeldStream.of("shuffled", stream, 8);
    AtomicLong passed = new AtomicLong();
    Tally tally = held.run(contestant(spec), 0, passed::addAndGet);
    assertThat(passed).hasValue(30_000);
    assertThat(tally.distinct()).isEqualTo(18_000).isEqualTo(held.distinct());
    assertThat(tally.falsePositives()).isEqualTo(computed.falsePositives()).isPositive();
    assertThat(tally.falseNegatives()).isEqualTo(computed.falseNegatives()).isPositive();

    Tally salted = held.run(contestant(spec), 1, any -> {});
    assertThat(salted).isNotEqualTo(tally).isEqualTo(held.run(contestant(spec), 1, any -> {}));
    // The same rates with other hashes: within six standard errors of a difference.
    assertThat(salted.fnr()).isCloseTo(tally.fnr(), within(6 * Math.sqrt(2) * tally.fnrSe()));
    assertThat(salted.fpr()).isCloseTo(tally.fpr(), within(6 * Math.sqrt(2) * tally.fprSe()));
    assertThat(tally.plus(salted).fpr()).isCloseTo((tally.fpr() + salted.fpr()) / 2, within(1e-12));
  }

  private static Contestant contestant(FilterSpec spec) {
    return Contestant.of(Filters.create(spec));
  }

  @Test
  void a_sample_has_all_records_of_one_key_in_some_and_the_error_rates_of_the_whole_stream() {
    HeldStream whole = HeldStream.of("shuffled", Streams.shuffled(400_000, 160_000, 3), 8);
    HeldStream sample = whole.sampled(150_000);
    assertThat(whole.sampled(400_000)).isSameAs(whole);
    assertThat(sample.name()).isEqualTo("shuffled, 1 key in 4");
    // Five standard errors of the number of keys, and of the records, of which a key has 2.5.
    assertThat((double) sample.distinct()).isCloseTo(40_000, within(5 * Math.sqrt(30_000)));
    assertThat((double) sample.records()).isCloseTo(100_000, within(5 * Math.sqrt(300_000)));
    Tally all = whole.run(contestant(recency(160_000)), 0, any -> {});
    Tally some = sample.run(contestant(recency(40_000)), 0, any -> {});
    assertThat(some.fnr()).isCloseTo(all.fnr(), within(0.02));
  }

  private static FilterSpec recency(long bytes) {
    return FilterSpec.builder(FilterKind.RECENCY, bytes).maxFpr(1e-3).seed(8).build();
  }

  @Test
  void rates_are_conditional_with_their_standard_errors() {
    Tally tally = new Tally(1000, 400, 40, 150, 0.5);
    assertThat(tally.fpr()).isEqualTo(0.1);
    assertThat(tally.fnr()).isEqualTo(0.25);
    assertThat(tally.fprSe()).isEqualTo(Math.sqrt(0.1 * 0.9 / 400));
    assertThat(tally.fnrSe()).isEqualTo(Math.sqrt(0.25 * 0.75 / 600));
    Tally empty = new Tally(0, 0, 0, 0, 0);
    assertThat(empty.fpr() + empty.fnr() + empty.fprSe() + empty.fnrSe()).isZero();
  }

  @Test
  void stock_is_taken_along_the_whole_stream() {
    long[] points = SyntheticTrial.alongTheStream(1_000_000);
    assertThat(points).isSorted().hasSizeGreaterThan(50);
    assertThat(points[points.length - 1]).isEqualTo(1_000_000);
    assertThat(SyntheticTrial.alongTheStream(10)).isSorted().endsWith(10).doesNotHaveDuplicates();
  }
}
