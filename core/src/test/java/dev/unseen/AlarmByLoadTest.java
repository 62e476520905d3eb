package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Alarm.Reason;
import dev.unseen.bits.Mix;
import dev.unseen.filter.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The alarm about a memory that is too small comes before keys are lost, and never while there are
 * as many keys as expected.
 */
final class AlarmByLoadTest {
  private static final int KEYS = 400_000;
  private static final long LENGTH = 8_000_000;
  private static final Window WINDOW = Window.time(Duration.ofMillis(LENGTH));

  private final List<Alarm> alarms = new ArrayList<>();
  private long now;
  private long next;

  private Gate gate(Window window, boolean concurrent, double maxFpr) {
    GateBuilder gate =
        Gate.builder()
            .seed(0)
            .expectedKeys(KEYS)
            .maxFalsePositiveRate(maxFpr)
            .window(window)
            .clock(() -> Instant.ofEpochMilli(now))
            .onAlarm(alarms::add);
    if (window.lateness() > 0) {
      gate.eventTime();
    }
    return concurrent ? gate.concurrent().build() : gate.build();
  }

  /** Admits new keys, as many per window as this. */
  private void stream(Gate gate, double windows, double keysPerWindow) {
    double step = LENGTH / keysPerWindow;
    double from = now;
    long count = Math.round(windows * keysPerWindow);
    for (long i = 0; i < count; i++) {
      now = (long) (from + i * step);
      gate.admit(Mix.mix(next++), now);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-4, 1e-6})
  void a_steady_stream_of_as_many_keys_as_expected_raises_none(double maxFpr) {
    for (boolean concurrent : new boolean[] {false, true}) {
      Gate gate = gate(WINDOW, concurrent, maxFpr);
      stream(gate, 5, KEYS);
      assertThat(alarms).as("%s", gate.report()).isEmpty();
    }
  }

  @Test
  void as_many_keys_as_expected_without_a_window_raise_none() {
    for (boolean concurrent : new boolean[] {false, true}) {
      Gate gate = gate(Window.NONE, concurrent, 1e-4);
      for (int i = 0; i < 3 * KEYS; i++) {
        gate.admit(Mix.mix(i % KEYS));
      }
      assertThat(alarms).as("%s", gate.report()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-4, 1e-6})
  void a_stream_that_grows_raises_it_before_one_key_in_ten_thousand_is_lost(double maxFpr) {
    for (boolean concurrent : new boolean[] {false, true}) {
      alarms.clear();
      Gate gate = gate(WINDOW, concurrent, maxFpr);
      stream(gate, 3, 0.9 * KEYS);
      assertThat(alarms).isEmpty();
      double most = 0.9 * KEYS;
      while (alarms.isEmpty() && most < 1.5 * KEYS) {
        most *= 1.005;
        stream(gate, 0.25, most);
      }
      assertThat(alarms).extracting(Alarm::reason).containsExactly(Reason.FORGETTING);
      Report report = alarms.get(0).report();
      assertThat(report.evictedEarly().orElseThrow())
          .as("%s", report)
          .isLessThan(report.admitted() / 10_000);
      assertThat(alarms.get(0).message())
          .containsPattern("holds 4\\d\\d,\\d{3} keys, and 4\\d\\d,\\d{3} fit: ")
          .endsWith("Use more memory or a shorter window");
    }
  }

  @Test
  void keys_that_keep_coming_without_a_window_raise_it_before_one_in_ten_thousand_is_lost() {
    for (boolean concurrent : new boolean[] {false, true}) {
      alarms.clear();
      Gate gate = gate(Window.NONE, concurrent, 1e-4);
      for (int i = 0; i < 2 * KEYS && alarms.isEmpty(); i++) {
        gate.admit(Mix.mix(i));
        gate.admit(Mix.mix(i / 2));
      }
      assertThat(alarms).extracting(Alarm::reason).containsExactly(Reason.FORGETTING);
      Report report = alarms.get(0).report();
      assertThat(report.evictedEarly().orElseThrow())
          .as("%s", report)
          .isLessThan(report.admitted() / 10_000);
    }
  }

  /** Keys are kept for late records as long as there is room, so their number is no sign. */
  @Test
  void if_records_may_be_late_it_is_raised_when_one_key_in_ten_thousand_is_lost() {
    for (double load : new double[] {1, 1.05}) {
      alarms.clear();
      Gate gate = gate(WINDOW.withLateness(Duration.ofMillis(LENGTH)), false, 1e-4);
      stream(gate, 6, load * KEYS);
      assertThat(alarms).as("%s", gate.report()).hasSize(load > 1 ? 1 : 0);
    }
  }

  /** The number of keys falls and rises with each step of the window. */
  @Test
  void it_is_raised_once_while_the_problem_lasts() {
    Gate gate = gate(WINDOW, false, 1e-4);
    stream(gate, 6, 1.04 * KEYS);
    assertThat(alarms).hasSize(1);
    stream(gate, 3, 0.5 * KEYS);
    stream(gate, 3, 1.04 * KEYS);
    assertThat(alarms.size()).as("again").isLessThanOrEqualTo(2);
  }
}
