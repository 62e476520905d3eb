package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class DeduplicatorTest {
  record Click(String id) {}

  /** The code of the README's first screen and of the class comment. */
  @Test
  void lets_each_record_through_once() {
    List<Click> sink = new ArrayList<>();
    List<Click> clicks = List.of(new Click("a"), new Click("b"), new Click("a"), new Click("c"));

    Deduplicator<Click> dedup =
        Deduplicator.builder(Keys.utf8(Click::id))
            .memory(MiB(1))
            .maxFalsePositiveRate(1e-4)
            .build();
    dedup.through(clicks.stream()).forEach(sink::add);

    assertThat(sink).containsExactly(new Click("a"), new Click("b"), new Click("c"));
    assertThat(dedup.records()).isEqualTo(4);
    assertThat(dedup.admitted()).isEqualTo(3);
    assertThat(dedup.mightContain(new Click("a"))).isTrue();
    assertThat(dedup.mightContain(new Click("z"))).isFalse();
    assertThat(dedup.load()).isPositive();
    assertThat(dedup.estimatedFpr()).isPositive();
    assertThat(dedup.memoryBytes()).isEqualTo(MiB(1));
    assertThat(dedup)
        .hasToString(
            "Deduplicator[recency (drops at most 1 in 10,000), 1 MiB, 4 records, 3 admitted]");
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_lets_the_same_records_through(FilterKind kind) {
    List<String> records =
        IntStream.range(0, 20_000).mapToObj(i -> "record " + i * 31L % 7919).toList();
    Deduplicator<String> single = small(kind);
    Deduplicator<String> batch = small(kind);
    List<String> expected = records.stream().filter(single::admit).toList();
    List<String> actual = new ArrayList<>();
    for (int i = 0; i < records.size(); i += 1000) {
      actual.addAll(batch.admitAll(records.subList(i, i + 1000)));
    }
    assertThat(actual).isEqualTo(expected);
    assertThat(batch.records()).isEqualTo(20_000);
    assertThat(batch.admitted()).isEqualTo(single.admitted());
  }

  private static Deduplicator<String> small(FilterKind kind) {
    return Deduplicator.builder(Keys.utf8()).memory(KiB(2)).kind(kind).seed(3).build();
  }

  @Test
  void a_record_without_a_key_fails_its_batch_before_anything_is_taken_in() {
    Deduplicator<String> dedup = small(FilterKind.BLOOM);
    assertThatThrownBy(() -> dedup.admitAll(Arrays.asList("a", null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("record is null");
    assertThat(dedup.records()).isZero();
    assertThat(dedup.mightContain("a")).isFalse();
  }

  @Test
  void the_builder_hands_everything_to_the_spec() {
    FilterSpec spec =
        Deduplicator.builder(Keys.longs())
            .memory(KiB(8))
            .kind(FilterKind.BLOOM)
            .hashes(5)
            .seed(9)
            .build()
            .spec();
    assertThat(spec)
        .isEqualTo(FilterSpec.builder(FilterKind.BLOOM, 8192).hashes(5).seed(9).build());
    FilterSpec expecting =
        Deduplicator.builder(Keys.longs())
            .seed(0)
            .memory(KiB(8))
            .kind(FilterKind.BLOOM)
            .expectedKeys(16_384)
            .build()
            .spec();
    assertThat(expecting.hashes()).isEqualTo(3);
    FilterSpec given = FilterSpec.builder(FilterKind.SBF, 8192).set(Parameter.CELL_BITS, 3).build();
    assertThat(Deduplicator.builder(Keys.longs()).seed(0).build(given).spec()).isEqualTo(given);
  }

  @Test
  void the_seed_reaches_the_hash_of_the_keys() {
    List<String> records = IntStream.range(0, 5000).mapToObj(i -> "r" + i % 3000).toList();
    List<List<String>> outputs = new ArrayList<>();
    for (long seed = 0; seed < 2; seed++) {
      Deduplicator<String> dedup =
          Deduplicator.builder(Keys.utf8())
              .memory(512)
              .kind(FilterKind.BLOOM) // nothing random in it but the hash
              .seed(seed)
              .build();
      outputs.add(dedup.admitAll(records));
    }
    assertThat(outputs.get(0)).isNotEqualTo(outputs.get(1));
  }

  private record Event(String id, long at) {}

  @Test
  void forgets_by_the_time_of_events() {
    Deduplicator<Event> dedup =
        Deduplicator.builder(Keys.utf8(Event::id))
            .seed(0)
            .memory(MiB(1))
            .window(Window.time(Duration.ofHours(24)))
            .eventTime(Event::at)
            .build();
    long hour = Duration.ofHours(1).toMillis();
    assertThat(dedup.admit(new Event("a", 0))).isTrue();
    assertThat(dedup.admit(new Event("a", 20 * hour))).isFalse();
    assertThat(dedup.admit(new Event("a", 40 * hour))).isFalse(); // renewed at 20
    assertThat(dedup.admitAll(List.of(new Event("a", 64 * hour), new Event("a", 65 * hour))))
        .containsExactly(new Event("a", 64 * hour));
    assertThat(dedup.windowCoverage()).isEqualTo(1);
    assertThat(dedup.records()).isEqualTo(5);
    assertThat(dedup.admitted()).isEqualTo(2);
  }

  @Test
  void forgets_by_the_clock_unless_events_have_a_time() throws InterruptedException {
    Deduplicator<String> dedup =
        Deduplicator.builder(Keys.utf8())
            .seed(0)
            .memory(MiB(1))
            .window(Window.time(Duration.ofMillis(50)))
            .refresh(Refresh.NEVER)
            .build();
    assertThat(dedup.admit("a")).isTrue();
    Thread.sleep(60); // longer on a busy machine, and then it is forgotten all the more
    assertThat(dedup.admit("a")).isTrue();
  }

  @Test
  void a_largest_rate_is_kept_by_recency_and_watched_for_the_others() {
    assertThat(door().maxFalsePositiveRate(1e-6).build().spec().maxFpr()).isEqualTo(1e-6);
    assertThatThrownBy(() -> door().maxFalsePositiveRate(0).build())
        .hasMessage("maxFalsePositiveRate (0.0) must be above 0 and below 1");
    assertThatThrownBy(() -> door().maxFalsePositiveRate(0.1).build())
        .hasMessage("maxFalsePositiveRate (0.1) must be 1e-9 to 0.01 for recency");
    assertThat(door().maxFalsePositiveRate(1e-3).kind(FilterKind.BLOOM).build().report().maxFpr())
        .as("an alarm is raised above it")
        .isEqualTo(1e-3);
  }

  private static DeduplicatorBuilder<String> door() {
    return Deduplicator.builder(Keys.utf8()).memory(MiB(1));
  }

  @Test
  void times_without_end_may_be_set() {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    Deduplicator<String> dedup =
        door().maxTimeAhead(forever).maxTimeJump(forever).reservationTimeout(forever).build();
    assertThat(dedup.reserve("a").status()).isEqualTo(Reservation.Status.GRANTED);
    assertThat(dedup.reserve("a").status()).isEqualTo(Reservation.Status.IN_FLIGHT);
  }

  @Test
  void a_report_shows_counts_as_whole_numbers() {
    Deduplicator<String> dedup = door().build();
    dedup.admit("a");
    assertThat(dedup.report().toString()).contains("records=1, admitted=1, duplicates=0, ");
  }

  @Test
  void a_bad_wish_is_rejected_in_words() {
    DeduplicatorBuilder<String> builder = Deduplicator.builder(Keys.utf8());
    assertThatThrownBy(builder::build).hasMessageStartingWith("memory is not set");
    assertThatThrownBy(() -> builder.memory(0))
        .hasMessage("memory (0 bytes) must be 64 bytes to 16 TiB");
    assertThatThrownBy(() -> builder.hashes(0)).hasMessage("hashes (0) must be at least 1");
    assertThatThrownBy(() -> builder.expectedKeys(-1))
        .hasMessage("expectedKeys (-1) must be at least 1");
    assertThatThrownBy(() -> builder.kind(null)).hasMessageStartingWith("kind is null");
    assertThatThrownBy(() -> builder.memory(63).build())
        .hasMessage("memory (63 bytes) must be 64 bytes to 16 TiB");
    assertThatThrownBy(() -> Deduplicator.builder(null)).hasMessageStartingWith("key is null");
  }
}
