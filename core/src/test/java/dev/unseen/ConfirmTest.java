package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.Reservation.Status;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A second opinion rescues the new records that the filter would lose, whatever the call. */
class ConfirmTest {
  /** A way to let records through, after which a table contains them. */
  enum Way {
    ADMIT {
      @Override
      void pass(Deduplicator<Long> dedup, List<Long> records, Table table) {
        records.stream().filter(dedup::admit).forEach(table::add);
      }
    },
    ADMIT_ALL {
      @Override
      void pass(Deduplicator<Long> dedup, List<Long> records, Table table) {
        for (int i = 0; i < records.size(); i += 100) {
          List<Long> batch = records.subList(i, Math.min(records.size(), i + 100));
          dedup.admitAll(batch).forEach(table::add);
        }
      }
    },
    STREAM {
      @Override
      void pass(Deduplicator<Long> dedup, List<Long> records, Table table) {
        dedup.through(records.stream()).forEach(table::add);
      }
    },
    ITERATOR {
      @Override
      void pass(Deduplicator<Long> dedup, List<Long> records, Table table) {
        Iterator<Long> through = dedup.through(records.iterator());
        through.forEachRemaining(table::add);
      }
    },
    PROBE {
      @Override
      void pass(Deduplicator<Long> dedup, List<Long> records, Table table) {
        for (Long record : records) {
          Ticket ticket = dedup.probe(record);
          if (ticket.fresh()) {
            table.add(record);
          }
          assertThat(ticket.commit()).isEqualTo(ticket.fresh());
        }
      }
    },
    RESERVE {
      @Override
      void pass(Deduplicator<Long> dedup, List<Long> records, Table table) {
        for (Long record : records) {
          dedup.reserve(record).rollback(); // which changes nothing for new records
          try (Reservation reservation = dedup.reserve(record)) {
            if (reservation.status() == Status.GRANTED) {
              assertThat(dedup.reserve(record).status()).isEqualTo(Status.IN_FLIGHT);
              table.add(record);
              assertThat(reservation.commit()).isTrue();
            }
          }
        }
      }
    },
    RUN_ONCE {
      @Override
      void pass(Deduplicator<Long> dedup, List<Long> records, Table table) {
        for (Long record : records) {
          dedup.runOnce(record, () -> table.add(record));
        }
      }
    };

    abstract void pass(Deduplicator<Long> dedup, List<Long> records, Table table);
  }

  /** What was let through, in order. */
  private static final class Table {
    private final List<Long> rows = new ArrayList<>();
    private final Set<Long> keys = new HashSet<>();

    boolean add(Long record) {
      rows.add(record);
      return keys.add(record);
    }
  }

  /** Of 20,000 keys in 8 KiB, a Bloom filter takes thousands for others, and forgets none. */
  private static DeduplicatorBuilder<Long> small() {
    return Deduplicator.builder(Keys.longs((Long x) -> x))
        .kind(FilterKind.BLOOM)
        .memory(8192)
        .onAlarm(alarm -> {});
  }

  private static List<Long> records() {
    Random random = new Random(1);
    return random.longs(40_000, 0, 20_000).boxed().toList();
  }

  @ParameterizedTest
  @EnumSource
  void no_new_record_is_lost_and_no_duplicate_passes(Way way) {
    for (boolean concurrent : List.of(false, true)) {
      Table table = new Table();
      DeduplicatorBuilder<Long> builder = small().confirm(table.keys::contains);
      Deduplicator<Long> dedup = (concurrent ? builder.concurrent() : builder).build();
      List<Long> records = records();
      way.pass(dedup, records, table);
      assertThat(table.rows).isEqualTo(records.stream().distinct().toList());
      Report report = dedup.report();
      assertThat(report.rescued().getAsLong()).isGreaterThan(100);
      assertThat(report.admitted()).isEqualTo(table.rows.size());
      assertThat(dedup.admitted()).isEqualTo(table.rows.size());
      assertThat(dedup.copy().admitted()).isEqualTo(table.rows.size());
      assertThat(records).allMatch(dedup::mightContain);
      dedup.clear();
      assertThat(dedup.report().rescued()).hasValue(0);
    }
  }

  @Test
  void without_it_records_are_lost_and_nothing_is_reported() {
    Deduplicator<Long> dedup = small().build();
    Table table = new Table();
    Way.ADMIT.pass(dedup, records(), table);
    assertThat(table.rows.size()).isLessThan((int) records().stream().distinct().count() - 100);
    assertThat(dedup.report().rescued()).isEqualTo(OptionalLong.empty());
    assertThat(measure(dedup)).isEmpty();
  }

  @Test
  void it_is_a_measure() {
    Deduplicator<Long> dedup = small().confirm(any -> false).build();
    assertThat(measure(dedup)).contains("rescued");
    assertThat(dedup.admit(1L)).isTrue();
    assertThat(dedup.admit(1L)).isTrue();
    assertThat(dedup.report().toString()).contains("admitted=2, duplicates=0, rescued=1,");
  }

  private static List<String> measure(Deduplicator<Long> dedup) {
    Report report = dedup.report();
    return Measure.all().stream()
        .filter(measure -> measure.valueIn(report).isPresent())
        .map(Measure::name)
        .filter(name -> name.equals("rescued"))
        .toList();
  }

  @Test
  void it_is_asked_only_if_the_filter_has_seen_the_key() {
    AtomicInteger asked = new AtomicInteger();
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs((Long x) -> x))
            .expectedKeys(100)
            .maxFalsePositiveRate(1e-9)
            .confirm(any -> asked.incrementAndGet() > 0)
            .build();
    assertThat(dedup.admitAll(List.of(1L, 2L, 3L, 2L))).hasSize(3);
    assertThat(asked).hasValue(0);
    assertThat(dedup.admit(2L)).isFalse();
    assertThat(asked).hasValue(1);
  }

  @Test
  void it_is_not_asked_about_records_that_are_too_late() {
    Predicate<Long> wasSeen =
        record -> {
          throw new AssertionError("asked about " + record);
        };
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs((Long x) -> x))
            .expectedKeys(1000)
            .window(Window.time(Duration.ofSeconds(1)))
            .eventTime(record -> record * 1000)
            .maxLateness(Duration.ofSeconds(1))
            .lateRecords(LateRecords.DROP)
            .clock(() -> java.time.Instant.ofEpochSecond(1_000_000))
            .onAlarm(alarm -> {})
            .confirm(wasSeen)
            .build();
    assertThat(dedup.admit(1000L)).isTrue();
    assertThat(dedup.admit(1L)).isFalse();
    assertThat(dedup.admitAll(List.of(2L, 2000L, 3L))).containsExactly(2000L);
    assertThat(dedup.reserve(4L).status()).isEqualTo(Status.DUPLICATE);
  }

  @Test
  void a_second_opinion_that_fails_releases_the_key() {
    boolean[] fails = {false};
    int[] asked = {0};
    Deduplicator<Long> dedup =
        small()
            .confirm(
                record -> {
                  if (fails[0] && ++asked[0] % 2 == 0) { // with the key reserved
                    throw new IllegalStateException("no table");
                  }
                  return false;
                })
            .build();
    assertThat(dedup.admit(1L)).isTrue();
    fails[0] = true;
    assertThatThrownBy(() -> dedup.reserve(1L)).hasMessage("no table");
    assertThat(dedup.report().inFlight()).isZero();
  }

  /** The figures in the documentation of {@link DeduplicatorBuilder#confirm}. */
  @Test
  void a_low_rate_costs_as_many_bits_as_documented() {
    assertThat(bits(1e-4, false)).isCloseTo(24.1, within(0.2));
    assertThat(bits(1e-9, false)).isCloseTo(45.5, within(0.2));
    assertThat(bits(1e-9, true)).isCloseTo(52.8, within(0.2));
  }

  private static double bits(double rate, boolean windowed) {
    DeduplicatorBuilder<Long> builder =
        Deduplicator.builder(Keys.longs((Long x) -> x))
            .expectedKeys(1_000_000)
            .maxFalsePositiveRate(rate);
    if (windowed) {
      builder.window(Window.time(Duration.ofDays(1)));
    }
    return builder.spec().memoryBytes() * 8 / 1e6;
  }
}
