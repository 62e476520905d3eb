package dev.unseen.bench;

import static dev.unseen.Memory.GiB;
import static dev.unseen.Memory.MiB;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HeatsTest {
  private static final List<Entry> ENTRIES =
      List.of(
          Entry.named("recency batch"),
          Entry.named("rlbsbf batch"),
          Entry.named("guava BloomFilter"),
          Entry.named("limit of 1 line"),
          Entry.named("limit of 2 lines"));

  private static Scenario scenario(long memoryBytes) {
    return new Scenario(memoryBytes, 0.5, true, false, 1, false);
  }

  @Test
  void all_run_at_once_where_memory_holds_them() {
    Heats heats = new Heats(ENTRIES, scenario(MiB(512)), GiB(20));
    assertThat(heats.tooSmall()).isNull();
    assertThat(heats.all()).hasSize(1);
    assertThat(heats.all().get(0)).containsExactlyElementsOf(ENTRIES);
  }

  @Test
  void where_memory_is_short_each_heat_fits_has_the_limits_and_nobody_runs_twice() {
    Scenario scenario = scenario(GiB(1));
    long free = GiB(8);
    Heats heats = new Heats(ENTRIES, scenario, free);
    assertThat(heats.tooSmall()).isNull();
    assertThat(heats.all()).hasSize(2);
    for (List<Entry> heat : heats.all()) {
      assertThat(heat).endsWith(ENTRIES.get(3), ENTRIES.get(4));
      assertThat(heat.stream().mapToLong(entry -> entry.processBytes(scenario)).sum())
          .isLessThan(free);
    }
    assertThat(heats.all().stream().flatMap(List::stream).filter(e -> e.role() != EntryRole.LIMIT))
        .containsExactlyElementsOf(ENTRIES.subList(0, 3));
  }

  @Test
  void what_does_not_fit_is_skipped_with_what_it_takes_and_what_is_free() {
    Heats heats = new Heats(ENTRIES, scenario(GiB(4)), GiB(20));
    assertThat(heats.tooSmall())
        .startsWith("Skipped: 4 GiB, keys of 8 bytes")
        .contains("and 20 GiB are free");
  }

  @Test
  void four_gibibytes_fit_into_twenty_with_three_limits() {
    List<Entry> entries =
        List.of(
            Entry.named("recency batch"),
            Entry.named("rlbsbf batch"),
            Entry.named("limit of 1 line"),
            Entry.named("limit of 2 lines"),
            Entry.named("limit of 4 lines"));
    Heats heats = new Heats(entries, scenario(GiB(4)), (long) (20.5 * GiB(1)));
    assertThat(heats.tooSmall()).isNull();
    assertThat(heats.all()).hasSize(2);
  }
}
