package dev.unseen;

import static dev.unseen.Memory.KiB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.clock.SteadyClock;
import dev.unseen.filter.Window;
import dev.unseen.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine's clock that is wrong, or was, does not keep keys for longer than their window. */
final class WrongClockTest {
  private static final long TODAY = Instant.parse("2026-06-01T12:00:00Z").toEpochMilli();
  private static final long YEAR_2100 = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private final AtomicLong wall = new AtomicLong(TODAY);
  private final AtomicLong nanos = new AtomicLong(5);
  private final List<Alarm.Reason> alarms = new ArrayList<>();
  private final List<String> logged = new ArrayList<>();
  private final Logger log = Logger.getLogger("dev.unseen");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          logged.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    log.addHandler(handler);
  }

  @AfterEach
  void leave() {
    log.removeHandler(handler);
  }

  private InstantSource given() {
    return () -> Instant.ofEpochMilli(wall.get());
  }

  private SteadyClock steady() {
    return SteadyClock.of(given(), nanos::get);
  }

  private GateBuilder options(InstantSource clock, boolean concurrent) {
    GateBuilder gate =
        Gate.builder()
            .memory(KiB(64))
            .seed(3)
            .window(Window.time(WINDOW))
            .clock(clock)
            .onAlarm(alarm -> alarms.add(alarm.reason()));
    return concurrent ? gate.concurrent() : gate;
  }

  /** Lets time pass, in steps of a second, while the gate is in use. */
  private void pass(Duration time, InstantSource used) {
    for (long second = 0; second < time.toSeconds(); second++) {
      wall.addAndGet(1000);
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      assertThat(used.millis()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_clock_set_to_2100_and_back_leaves_nothing_behind(boolean concurrent) {
    SteadyClock clock = steady();
    Gate gate = options(clock, concurrent).build();
    assertThat(gate.admit(1)).isTrue();
    wall.addAndGet(YEAR_2100 - TODAY);
    pass(Duration.ofSeconds(20), clock);
    assertThat(gate.admit(1)).as("no window has passed").isFalse();
    assertThat(gate.admit(2)).isTrue();
    assertThat(alarms).containsExactly(Alarm.Reason.CLOCK_JUMP);
    wall.addAndGet(TODAY - YEAR_2100);
    pass(Duration.ofSeconds(20), clock);
    assertThat(gate.admit(2)).isFalse();
    pass(WINDOW, clock);
    assertThat(gate.admit(1)).as("new again").isTrue();
    assertThat(gate.admit(2)).as("new again").isTrue();
    assertThat(gate.report().clockJumps()).isEqualTo(1);
    assertThat(gate.report().alarms()).as("the alarm ends with the window").isEmpty();
    assertThat(gate.latestMillis()).isEqualTo(wall.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_given_clock_set_to_2100_and_back_does_not_freeze_the_filter(boolean concurrent) {
    Gate gate = options(given(), concurrent).build();
    gate.admit(1);
    wall.set(YEAR_2100);
    for (long hash = 2; hash < 1000; hash++) {
      gate.admit(hash);
    }
    wall.set(TODAY);
    assertThat(gate.admit(2)).as("seen a moment ago").isFalse();
    assertThat(alarms).containsExactly(Alarm.Reason.CLOCK_JUMP);
    wall.addAndGet(WINDOW.toMillis());
    for (long hash = 1; hash < 1000; hash++) {
      assertThat(gate.admit(hash)).as("key %d is new again", hash).isTrue();
    }
    assertThat(gate.report().clockJumps()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_state_from_2100_loads_with_a_warning_and_its_keys_expire(boolean concurrent)
      throws IOException {
    wall.set(YEAR_2100);
    Gate wrong = options(given(), concurrent).build();
    for (long hash = 1; hash < 1000; hash++) {
      wrong.admit(hash);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    wrong.save(bytes, Map.of());
    wall.set(TODAY);
    Gate loaded = options(given(), concurrent).load(new ByteArrayInputStream(bytes.toByteArray()));
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0)).startsWith("the state has times up to 2100-01-01T00:00:00Z, but");
    assertThat(loaded.admit(1)).as("its keys are kept").isFalse();
    wall.addAndGet(WINDOW.toMillis());
    for (long hash = 1; hash < 1000; hash++) {
      assertThat(loaded.admit(hash)).as("key %d is new again", hash).isTrue();
    }
    assertThat(loaded.latestMillis()).isEqualTo(wall.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_gate_from_2100_is_merged_with_a_warning_and_all_keys_expire(boolean concurrent) {
    Gate gate = options(given(), concurrent).build();
    Gate wrong = options(() -> Instant.ofEpochMilli(YEAR_2100), concurrent).build();
    for (long hash = 1; hash < 100; hash++) {
      gate.admit(hash);
      wrong.admit(1000 + hash);
    }
    gate.merge(wrong);
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0)).startsWith("the gate to merge has times up to 2100-01-01T00:00:00Z");
    assertThat(wrong.latestMillis()).as("left as it is").isEqualTo(YEAR_2100);
    for (long hash = 1; hash < 100; hash++) {
      assertThat(gate.admit(hash)).isFalse();
      assertThat(gate.admit(1000 + hash)).isFalse();
    }
    wall.addAndGet(WINDOW.toMillis());
    for (long hash = 1; hash < 100; hash++) {
      assertThat(gate.admit(hash)).isTrue();
      assertThat(gate.admit(1000 + hash)).isTrue();
    }
  }

  @Test
  void a_state_from_2100_is_merged_with_a_warning_and_the_other_keys_stay() throws IOException {
    wall.set(System.currentTimeMillis());
    Gate right = options(given(), false).build();
    right.admit(1);
    Gate wrong = options(() -> Instant.ofEpochMilli(YEAR_2100), false).build();
    wrong.admit(2);
    Snapshot merged = Snapshot.merge(right.snapshot(Map.of()), wrong.snapshot(Map.of()));
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0)).startsWith("a state to merge has times up to 2100-01-01T00:00:00Z");
    Gate gate = options(given(), false).restore(merged);
    assertThat(gate.admit(1)).isFalse();
    assertThat(gate.admit(2)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 5, 100})
  void a_state_of_event_times_that_is_ahead_checks_records_again(long windowsLate)
      throws IOException {
    Duration lateness = WINDOW.multipliedBy(windowsLate);
    wall.set(YEAR_2100);
    Gate wrong = options(given(), false).eventTime().maxLateness(lateness).build();
    for (long hash = 1; hash < 100; hash++) {
      wrong.admit(hash, YEAR_2100);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    wrong.save(bytes, Map.of());
    wall.set(TODAY);
    Gate loaded =
        options(given(), false)
            .eventTime()
            .maxLateness(lateness)
            .load(new ByteArrayInputStream(bytes.toByteArray()));
    assertThat(logged).hasSize(1);
    for (long hash = 101; hash < 200; hash++) {
      assertThat(loaded.admit(hash, TODAY)).isTrue();
      assertThat(loaded.admit(hash, TODAY)).isFalse();
    }
    assertThat(loaded.report().lateTimes()).isZero();
    for (long hash = 1; hash < 200; hash++) {
      assertThat(loaded.admit(hash, TODAY + WINDOW.toMillis())).isTrue();
    }
  }

  @Test
  void a_jump_that_persists_as_after_a_suspension_is_followed_after_a_minute() {
    SteadyClock clock = steady();
    Gate gate = options(clock, false).build();
    gate.admit(1);
    wall.addAndGet(Duration.ofHours(8).toMillis());
    pass(Duration.ofSeconds(30), clock);
    assertThat(gate.admit(1)).isFalse();
    pass(Duration.ofSeconds(32), clock);
    assertThat(clock.millis()).isEqualTo(wall.get());
    assertThat(gate.admit(1)).as("its window has passed").isTrue();
    assertThat(clock.jumps()).isEqualTo(1);
  }

  @Test
  void a_clock_that_was_wrong_on_startup_is_corrected_and_keys_keep_their_ages() {
    wall.set(YEAR_2100);
    SteadyClock clock = steady();
    Gate gate = options(clock, false).build();
    gate.admit(1);
    wall.set(TODAY);
    pass(Duration.ofSeconds(62), clock);
    assertThat(clock.millis()).isEqualTo(wall.get());
    assertThat(gate.admit(1)).isFalse();
    assertThat(gate.latestMillis()).isEqualTo(wall.get());
    pass(WINDOW, clock);
    assertThat(gate.admit(1)).isTrue();
    assertThat(gate.report().clockJumps()).isEqualTo(1);
  }

  @Test
  void a_small_difference_is_corrected_slowly() {
    SteadyClock clock = steady();
    for (long behind : new long[] {400, -400}) {
      wall.addAndGet(behind);
      long difference = Math.abs(wall.get() - clock.millis());
      for (int second = 0; second < 800; second++) {
        pass(Duration.ofSeconds(1), clock);
        long now = Math.abs(wall.get() - clock.millis());
        assertThat(now).isBetween(difference - 1, difference);
        difference = now;
      }
      assertThat(difference).isLessThanOrEqualTo(1);
    }
    assertThat(clock.jumps()).isZero();
  }

  @Test
  void a_reading_that_took_long_is_not_used() {
    SteadyClock clock =
        SteadyClock.of(
            () -> {
              nanos.addAndGet(Duration.ofSeconds(30).toNanos()); // the thread has to wait here
              return Instant.ofEpochMilli(wall.addAndGet(Duration.ofSeconds(30).toMillis()));
            },
            nanos::get);
    for (int i = 0; i < 100; i++) {
      pass(Duration.ofSeconds(2), clock);
    }
    assertThat(clock.jumps()).isZero();
  }
}
