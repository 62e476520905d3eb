package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditSpec;
import dev.unseen.bits.Mix;
import dev.unseen.filter.Window;
import dev.unseen.hash.Secret;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to records that cannot be checked because of their time. */
final class LateRecordsTest {
  private static final long NOW = Instant.parse("2026-06-01T12:00:00Z").toEpochMilli();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long TOO_LATE = NOW - 3 * HOUR;
  private static final long TOO_EARLY = NOW + 1000 * HOUR;

  private static GateBuilder options(boolean concurrent) {
    GateBuilder gate =
        Gate.builder()
            .memory(Memory.MiB(1))
            .seed(5)
            .window(Window.time(Duration.ofHours(1)))
            .clock(InstantSource.fixed(Instant.ofEpochMilli(NOW)))
            .audit(AuditSpec.oneIn(1))
            .eventTime();
    return concurrent ? gate.concurrent() : gate;
  }

  @ParameterizedTest
  @CsvSource({"ADMIT,false", "ADMIT,true", "DROP,false", "DROP,true"})
  void a_record_that_cannot_be_checked_is_admitted_or_dropped_and_never_remembered(
      LateRecords late, boolean concurrent) {
    boolean admits = late == LateRecords.ADMIT;
    Gate gate = options(concurrent).lateRecords(late).build();
    assertThat(gate.admit(1, NOW)).isTrue();
    for (long time : new long[] {TOO_LATE, TOO_EARLY}) {
      assertThat(gate.isTooLate(1, time)).isTrue();
      assertThat(gate.mightContain(1, time)).isEqualTo(!admits);
      assertThat(gate.probe(1, time).fresh()).isEqualTo(admits);
      assertThat(gate.admit(1, time)).isEqualTo(admits);
      assertThat(gate.admit(1, time)).isEqualTo(admits);
      try (Reservation reservation = gate.reserve(1, time)) {
        assertThat(reservation.status())
            .isEqualTo(admits ? Reservation.Status.GRANTED : Reservation.Status.DUPLICATE);
      }
    }
    assertThat(gate.isTooLate(1, NOW - HOUR)).isFalse();
    assertThat(gate.report().lateTimes()).isEqualTo(admits ? 2 : 3);
    assertThat(gate.report().rejectedTimes()).isEqualTo(admits ? 2 : 3);
    assertThat(gate.records()).isEqualTo(admits ? 5 : 7);
    assertThat(gate.admitted()).isEqualTo(admits ? 5 : 1);
    assertThat(gate.report().estimatedCardinality()).isEqualTo(1);
    assertThat(gate.report().audit().orElseThrow().fpr().errors()).as("no error").isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_record_that_cannot_be_checked_can_be_a_failure(boolean concurrent) {
    Gate gate = options(concurrent).lateRecords(LateRecords.FAIL).build();
    gate.admit(1, NOW);
    LateRecordException late =
        catchThrowableOfType(LateRecordException.class, () -> gate.admit(1, TOO_LATE));
    assertThat(late.millis()).isEqualTo(TOO_LATE);
    assertThat(late.latest()).isEqualTo(NOW);
    assertThat(late.lateness()).isEqualTo(HOUR);
    assertThat(late.index()).isEqualTo(-1);
    assertThat(late)
        .hasMessage(
            "a record has the time 2026-06-01T09:00:00Z, which is before the latest time"
                + " (2026-06-01T12:00:00Z) by more than the lateness of 1h; read older records"
                + " first, raise maxLateness, or admit or drop such records (lateRecords)");
    assertThatThrownBy(() -> gate.admit(1, TOO_EARLY))
        .isInstanceOf(LateRecordException.class)
        .hasMessageContaining("which is too far in the future; check the clock");
    assertThatThrownBy(() -> gate.probe(1, TOO_LATE)).isInstanceOf(LateRecordException.class);
    assertThatThrownBy(() -> gate.reserve(1, TOO_LATE)).isInstanceOf(LateRecordException.class);
    assertThat(gate.report().lateTimes()).isEqualTo(3);
    assertThat(gate.report().rejectedTimes()).isEqualTo(1);
    assertThat(gate.admitted()).isEqualTo(1);
    assertThat(gate.admit(1, NOW)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"ADMIT,false", "ADMIT,true", "DROP,false", "DROP,true", "FAIL,false", "FAIL,true"})
  void a_batch_reports_the_records_that_cannot_be_checked(LateRecords policy, boolean concurrent) {
    Gate gate = options(concurrent).lateRecords(policy).build();
    for (long hash = 1; hash < 10; hash++) {
      gate.admit(hash, NOW);
    }
    long[] hashes = {99, 1, 20, 2, 3, 21};
    long[] millis = {0, NOW, NOW, TOO_LATE, TOO_EARLY, NOW};
    long[] fresh = {-1};
    long[] late = {-1};
    if (policy == LateRecords.FAIL) {
      LateRecordException first =
          catchThrowableOfType(
              LateRecordException.class, () -> gate.admitAll(hashes, millis, 1, 5, fresh, late));
      assertThat(first.index()).isEqualTo(2);
      assertThat(first.millis()).isEqualTo(TOO_LATE);
      assertThat(first).hasMessageStartingWith("record 2 of the batch has the time");
    } else {
      int admitted = gate.admitAll(hashes, millis, 1, 5, fresh, late);
      assertThat(admitted).isEqualTo(Long.bitCount(fresh[0]));
    }
    assertThat(fresh[0]).isEqualTo(policy == LateRecords.ADMIT ? 0b11110 : 0b10010);
    assertThat(late[0]).isEqualTo(0b01100);
    assertThat(gate.report().lateTimes()).isEqualTo(1);
    assertThat(gate.report().rejectedTimes()).isEqualTo(1);
  }

  @Test
  void a_time_that_is_not_used_does_not_move_the_time_of_the_audit() {
    AuditSpec half = AuditSpec.oneIn(2).memory(AuditSpec.MIN_MEMORY_BYTES);
    Gate gate = options(false).audit(half).build();
    for (long i = 0; i < 100; i++) {
      gate.admit(Mix.mix(i), TOO_EARLY);
    }
    for (int times = 0; times < 2; times++) { // more keys than the audit has room for
      for (long i = 1000; i < 1200; i++) {
        gate.admit(Mix.mix(i), NOW);
      }
    }
    AuditReport audit = gate.report().audit().orElseThrow();
    assertThat(audit.keys()).isPositive();
    assertThat(audit.fpr().errors()).isZero();
  }

  private record Event(int id, long at) {}

  private static DeduplicatorBuilder<Event> events() {
    return Deduplicator.builder(Keys.ints(Event::id))
        .memory(Memory.MiB(1))
        .window(Window.time(Duration.ofHours(1)))
        .eventTime(Event::at)
        .clock(InstantSource.fixed(Instant.ofEpochMilli(NOW)))
        .lateRecords(LateRecords.FAIL);
  }

  @Test
  void a_batch_after_a_change_of_the_secret_names_the_record_that_fails() {
    Deduplicator<Event> before = events().build();
    before.admit(new Event(0, NOW));
    Deduplicator<Event> after =
        events().secret(Secret.random()).onChange(OnChange.GROW).restore(before.snapshot(Map.of()));
    List<Event> batch = List.of(new Event(0, NOW), new Event(1, TOO_LATE), new Event(2, NOW));
    LateRecordException late =
        catchThrowableOfType(LateRecordException.class, () -> after.admitAll(batch));
    assertThat(late.index()).isEqualTo(1);
    assertThat(after.records()).as("all of the batch").isEqualTo(4);
    assertThat(after.admitted()).isEqualTo(2);
  }

  @Test
  void a_deduplicator_of_event_time_needs_a_function_that_returns_it() {
    GateConfig config = GateConfig.EMPTY.with(Option.EVENT_TIME, true);
    assertThatThrownBy(
            () ->
                Deduplicator.builder(Keys.longs())
                    .memory(Memory.MiB(1))
                    .window(Window.time(Duration.ofHours(1)))
                    .config(config)
                    .build())
        .hasMessageContaining("eventTime");
  }

  @Test
  void a_stream_returns_the_records_before_the_one_that_fails() {
    Deduplicator<Event> dedup = events().build();
    List<Event> events = new ArrayList<>();
    for (int id = 0; id < 1000; id++) {
      events.add(new Event(id, id == 700 ? TOO_LATE : NOW));
    }
    assertThat(dedup.isTooLate(events.get(700))).as("no time yet").isFalse();
    Iterator<Event> through = dedup.through(events.stream()).iterator();
    List<Event> returned = new ArrayList<>();
    assertThatThrownBy(() -> through.forEachRemaining(returned::add))
        .isInstanceOf(LateRecordException.class);
    assertThat(dedup.isTooLate(events.get(700))).isTrue();
    assertThat(returned).hasSizeBetween(699, 700); // one in 10,000 may be lost
  }

  @Test
  void the_policy_is_rejected_without_event_time() {
    assertThatThrownBy(
            () ->
                Gate.builder()
                    .memory(Memory.MiB(1))
                    .window(Window.time(Duration.ofHours(1)))
                    .lateRecords(LateRecords.DROP)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "lateRecords (drop) must be left out, unless there is a window of event time");
  }

  @ParameterizedTest
  @CsvSource({"ADMIT,false", "ADMIT,true", "DROP,false", "DROP,true"})
  void records_that_cannot_be_checked_do_not_distort_the_measured_errors(
      LateRecords late, boolean concurrent) {
    Gate gate = options(concurrent).lateRecords(late).build();
    for (int i = 0; i < 20_000; i++) {
      gate.admit(Mix.mix(i % 10_000), NOW);
    }
    for (int i = 0; i < 20_000; i++) {
      gate.admit(Mix.mix(-i), TOO_LATE);
    }
    assertThat(gate.report().audit().orElseThrow().fnr().rate()).isZero();
    assertThat(gate.report().audit().orElseThrow().fnr().high()).isLessThan(1e-3);
  }

  @Test
  void a_window_with_a_lateness_goes_with_event_time() {
    Window late = Window.time(Duration.ofHours(1)).withLateness(Duration.ofHours(2));
    assertThatThrownBy(() -> Gate.builder().memory(4096).window(late).build())
        .hasMessageContaining("maxLateness (2h) must be left out");
    assertThatThrownBy(() -> options(false).maxLateness(Duration.ZERO).build())
        .hasMessageContaining("at least 1 ms");
  }
}
