package dev.unseen.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.lab.rival.Arena;
import dev.unseen.lab.rival.Contestant;
import dev.unseen.lab.rival.ContestantFamily;
import dev.unseen.lab.rival.LiteralReservoirFilter;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/**
 * Exact counts of false positives and false negatives of the filters that only the lab has, on the
 * stream of the core's {@code GoldenTest}. Figures in the docs were measured with these filters, so
 * their answers do not change.
 */
final class PaperVariantsTest {
  private static final long MEMORY = 30_000;
  private static final long SEED = 42;

  @Test
  void rsbf_as_measured_gives_the_answers_it_always_gave() {
    PaperFilter filter = new PaperFilter(spec(FilterKind.RSBF, 3), true, 1);
    assertThat(errors(filter.create()::admit)).isEqualTo("5583/51482");
    assertThat(errors(contestant("rsbf-measured", "k=3")::admit)).isEqualTo("5583/51482");
  }

  @Test
  void rsbf_by_the_letter_forgets_for_reported_duplicates_too() {
    DuplicateFilter byTheText = Filters.create(spec(FilterKind.RSBF, 3));
    DuplicateFilter byTheLetter = new LiteralReservoirFilter(spec(FilterKind.RSBF, 3));
    assertThat(errors(byTheText::admit)).isEqualTo("12400/29298");
    assertThat(errors(byTheLetter::admit)).isEqualTo("9893/38011");
    assertThat(byTheLetter.load()).isLessThan(byTheText.load());
  }

  /** Below p* every bit that is set costs another bit. */
  @Test
  void the_third_phase_of_rsbf_keeps_the_load_in_both_readings() {
    FilterSpec small = FilterSpec.builder(FilterKind.RSBF, 512).hashes(2).seed(SEED).build();
    for (DuplicateFilter filter :
        List.of(Filters.create(small), new LiteralReservoirFilter(small))) {
      Hash64 hash = HashKind.XXH3.create(SEED);
      long third = (long) Math.ceil(small.bits() / 2.0 / 0.03);
      for (long i = 1; i < third; i++) {
        filter.admit(hash.hash(i / 2));
      }
      double load = filter.load();
      for (long i = third; i < 2 * third; i++) {
        filter.admit(hash.hash(i / 2));
      }
      assertThat(filter.load()).isEqualTo(load);
    }
  }

  @Test
  void resets_can_be_limited_to_half_of_the_positions() {
    DuplicateFilter half = new PaperFilter(spec(FilterKind.BSBF, 2), false, 0.5).create();
    assertThat(errors(half::admit)).isEqualTo("13931/22592");
  }

  @Test
  void blocked_filters_give_the_answers_they_always_gave() {
    assertThat(errors(contestant("bsbf-blocked", "k=2")::admit)).isEqualTo("12982/26339");
    assertThat(errors(contestant("rlbsbf-blocked", "k=2")::admit)).isEqualTo("17346/10611");
  }

  private static FilterSpec spec(FilterKind kind, int hashes) {
    return FilterSpec.builder(kind, MEMORY).hashes(hashes).seed(SEED).build();
  }

  private static Contestant contestant(String family, String parameters) {
    return ContestantFamily.all().stream()
        .filter(f -> f.id().equals(family))
        .flatMap(f -> f.settings(Arena.of(MEMORY)).stream())
        .filter(setting -> setting.parameters().equals(parameters))
        .findFirst()
        .orElseThrow()
        .build(SEED);
  }

  /** Counts the errors on 200,000 records, 120,000 of them distinct, which are shuffled. */
  private static String errors(LongPredicate admit) {
    int[] keys = new int[200_000];
    SplitMix64 random = new SplitMix64(SEED);
    for (int i = 0; i < keys.length; i++) {
      keys[i] = i < 120_000 ? i : (int) random.below(120_000);
    }
    for (int i = keys.length - 1; i > 0; i--) {
      int j = (int) random.below(i + 1L);
      int swap = keys[i];
      keys[i] = keys[j];
      keys[j] = swap;
    }
    Hash64 hash = HashKind.XXH3.create(SEED);
    BitSet seen = new BitSet();
    int falsePositives = 0;
    int falseNegatives = 0;
    for (int key : keys) {
      boolean admitted = admit.test(hash.hash(key));
      falsePositives += !seen.get(key) && !admitted ? 1 : 0;
      falseNegatives += seen.get(key) && admitted ? 1 : 0;
      seen.set(key);
    }
    return falsePositives + "/" + falseNegatives;
  }
}
