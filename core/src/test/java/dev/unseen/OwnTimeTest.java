package dev.unseen;

import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.audit.AuditSpec;
import dev.unseen.bits.Answers;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A record is compared by its own time, in whatever order times come. */
final class OwnTimeTest {
  private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = 24 * HOUR;

  private static GateBuilder builder(Duration window, boolean concurrent) {
    GateBuilder gate =
        Gate.builder()
            .memory(Memory.MiB(1))
            .seed(5)
            .window(Window.time(window))
            .clock(InstantSource.fixed(Instant.ofEpochMilli(START + 1000 * DAY)))
            .eventTime();
    return concurrent ? gate.concurrent() : gate;
  }

  /**
   * Within 7/8 of the window a duplicate, from a whole window on new. What is later than the
   * lateness, or too far in the future, is counted, not remembered, and treated as asked for.
   */
  @Property(tries = 300)
  void agrees_with_an_exact_model_in_any_order(Choices choices) {
    long length = choices.draw("window", longs(8, 5000));
    long lateness = choices.draw("lateness", longs(1, 3 * length));
    boolean refreshes = choices.draw("refreshes", booleans());
    boolean concurrent = choices.draw("concurrent", booleans());
    boolean batches = choices.draw("batches", booleans());
    boolean audited = choices.draw("audited", booleans());
    boolean unchecked = choices.draw("unchecked", booleans());
    LateRecords policy = choices.draw("policy", oneOf(LateRecords.values()));
    SplitMix64 random = new SplitMix64(choices.draw("seed", longs()));
    GateBuilder options =
        builder(Duration.ofMillis(length), concurrent)
            .maxFalsePositiveRate(1e-6)
            .maxLateness(Duration.ofMillis(lateness))
            .lateRecords(policy)
            .refresh(refreshes ? Refresh.ALWAYS : Refresh.NEVER);
    Gate gate = (audited ? options.audit(AuditSpec.oneIn(2)) : options).build();
    int count = 400;
    long[] hashes = new long[count];
    long[] millis = new long[count];
    long clock = START;
    for (int i = 0; i < count; i++) {
      clock += random.below(1 + length / 15);
      hashes[i] = Mix.mix(1 + random.below(30));
      boolean ahead = unchecked && random.chance(1, 20);
      long behind = random.below((unchecked ? 2 : 1) * lateness + 1);
      millis[i] = ahead ? START + 2000 * DAY : clock - behind;
    }
    long[] fresh = new long[count / Long.SIZE + 1];
    long[] late = new long[fresh.length];
    for (int i = 0; i < count; ) {
      int some = batches ? (int) Math.min(1 + random.below(100), count - i) : 1;
      admit(gate, hashes, millis, i, some, fresh, late);
      i += some;
    }
    Window window = gate.spec().window();
    Map<Integer, Long> latest = new HashMap<>();
    Map<Long, List<Long>> seen = new HashMap<>();
    long tooLate = 0;
    long tooEarly = 0;
    for (int i = 0; i < count; i++) {
      long at = millis[i];
      boolean isFresh = isSet(fresh, i);
      int shard = concurrent ? ShardedFilter.shardOf(hashes[i]) : 0;
      boolean isAhead = at > clock;
      long step = window.stepOf(at) + window.lateSteps();
      boolean isLate = step < window.stepOf(latest.getOrDefault(shard, at));
      assertThat(isSet(late, i)).as("record %d is not checked", i).isEqualTo(isAhead || isLate);
      if (isAhead || isLate) {
        assertThat(isFresh).isEqualTo(policy == LateRecords.ADMIT);
        tooEarly += isAhead ? 1 : 0;
        tooLate += isLate ? 1 : 0;
        continue;
      }
      latest.merge(shard, at, Math::max);
      List<Long> times = seen.computeIfAbsent(hashes[i], hash -> new ArrayList<>());
      long nearest =
          times.stream().mapToLong(time -> Math.abs(time - at)).min().orElse(Long.MAX_VALUE);
      if (nearest >= length) {
        assertThat(isFresh).as("record %d, %d away", i, nearest).isTrue();
      } else if (nearest <= length - (length + 7) / 8) {
        assertThat(isFresh).as("record %d, %d away", i, nearest).isFalse();
      }
      if (isFresh || refreshes) {
        times.add(at);
      }
    }
    Report report = gate.report();
    assertThat(report.lateTimes()).isEqualTo(tooLate);
    assertThat(report.rejectedTimes()).isEqualTo(tooEarly);
    assertThat(report.records()).isEqualTo(count);
    assertThat(report.admitted()).isEqualTo(Answers.count(fresh, fresh.length));
    report.audit().ifPresent(audit -> assertThat(audit.fpr().errors()).isZero());
  }

  private static boolean isSet(long[] bits, int at) {
    return ((bits[at / Long.SIZE] >>> at) & 1) == 1;
  }

  /** Admits some records, alone or in a batch, and adds the answers. */
  private static void admit(
      Gate gate, long[] hashes, long[] millis, int from, int count, long[] fresh, long[] late) {
    long[] some = new long[2];
    long[] someLate = new long[2];
    try {
      if (count == 1) {
        someLate[0] = gate.isTooLate(hashes[from], millis[from]) ? 1 : 0;
        some[0] = gate.admit(hashes[from], millis[from]) ? 1 : 0;
      } else {
        gate.admitAll(hashes, millis, from, count, some, someLate);
      }
    } catch (LateRecordException e) {
      assertThat(e.index()).isEqualTo(count == 1 ? -1 : Answers.first(someLate, count));
    }
    Answers.copy(some, count, fresh, from);
    Answers.copy(someLate, count, late, from);
  }

  /** Keys come once a day, and a window is an hour: all records are new, however they are read. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void no_new_record_is_lost_when_two_inputs_are_read_side_by_side(boolean concurrent) {
    Gate gate = builder(Duration.ofHours(1), concurrent).build();
    int keys = 20_000;
    int lost = 0;
    for (int i = 0; i < 2 * keys; i++) {
      for (int input = 0; input < 2; input++) { // days 0 and 1 here, days 2 and 3 there
        long day = 2L * input + i / keys;
        long at = START + day * DAY + i % keys * DAY / keys;
        lost += gate.admit(Mix.mix(1 + i % keys), at) ? 0 : 1;
      }
    }
    assertThat(lost).as("of 80,000, at most 1 in 10,000").isLessThanOrEqualTo(8);
  }

  @Test
  void a_key_that_recurs_after_its_window_is_new_although_one_input_is_a_day_behind() {
    Gate gate = builder(Duration.ofHours(24), false).memory(Memory.MiB(4)).build();
    int keys = 30_000;
    int lost = 0;
    for (int i = 0; i < 6 * keys; i++) {
      long at = START + i * (30 * HOUR) / keys;
      boolean behind = i % 2 == 1;
      lost += gate.admit(Mix.mix(1 + i % keys), at - (behind ? DAY : 0)) ? 0 : 1;
    }
    assertThat(lost).as("of 180,000, at most 1 in 10,000").isLessThanOrEqualTo(18);
    assertThat(gate.report().lateTimes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void records_that_are_too_late_are_admitted_and_counted_and_raise_an_alarm(boolean concurrent) {
    List<Alarm> alarms = new ArrayList<>();
    Gate gate = builder(Duration.ofHours(1), concurrent).onAlarm(alarms::add).build();
    for (int i = 0; i < 100_000; i++) {
      gate.admit(Mix.mix(1 + i), START + 10 * DAY);
    }
    for (int i = 0; i < 100_000; i++) {
      assertThat(gate.admit(Mix.mix(1 + i), START)).isTrue();
    }
    assertThat(gate.report().lateTimes()).isEqualTo(100_000);
    assertThat(alarms).extracting(Alarm::reason).contains(Alarm.Reason.LATE_TIMES);
    assertThat(alarms.get(0).message()).contains("were late by more than 1h");
    assertThat(gate.admit(Mix.mix(1), START + 10 * DAY)).as("nothing has moved").isFalse();
  }

  @Test
  void an_audit_of_times_out_of_order_reports_no_errors_that_are_not_there() {
    Gate gate = builder(Duration.ofHours(1), false).audit(AuditSpec.oneIn(1)).build();
    SplitMix64 random = new SplitMix64(9);
    for (int i = 0; i < 50_000; i++) {
      long at = START + i * DAY / 50_000 - random.below(HOUR);
      gate.admit(Mix.mix(1 + random.below(4000)), at);
    }
    assertThat(gate.report().audit().orElseThrow().fpr().low()).isLessThan(1e-3);
    assertThat(gate.report().audit().orElseThrow().fnr().low()).isLessThan(0.2);
  }

  @Test
  void a_lateness_without_event_times_is_rejected_with_the_remedy() {
    assertThatThrownBy(
            () ->
                Gate.builder()
                    .memory(Memory.MiB(1))
                    .window(Window.time(Duration.ofHours(1)))
                    .maxLateness(Duration.ofHours(2))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "maxLateness (2h) must be left out, unless there is a window of event time");
  }
}
