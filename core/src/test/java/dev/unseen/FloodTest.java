package dev.unseen;

import static dev.unseen.Memory.KiB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A stranger who cannot compute hashes can still send many new keys. That makes a filter of bounded
 * memory forget, and it is told: by an alarm, by the coverage of the window, and by the audit. This
 * is what docs/reliability.md says of floods.
 */
final class FloodTest {
  private static final int OURS = 2_000;
  private static final int FLOOD = 200_000; // a memory of 64 KiB holds some 25,000 keys

  private final List<Alarm.Reason> alarms = new ArrayList<>();
  private final AtomicLong now = new AtomicLong();

  private DeduplicatorBuilder<Long> small() {
    return Deduplicator.builder(Keys.longs())
        .seed(1)
        .memory(KiB(64))
        .audit(AuditSpec.oneIn(8))
        .clock(() -> Instant.ofEpochMilli(now.get()))
        .onAlarm(alarm -> alarms.add(alarm.reason()));
  }

  private static long admitted(Deduplicator<Long> dedup, long from, long count) {
    return LongStream.range(from, from + count).filter(dedup::admit).count();
  }

  @Test
  void a_flood_makes_old_keys_come_again_and_the_alarm_and_the_audit_say_so() {
    Deduplicator<Long> dedup = small().build();
    admitted(dedup, 0, OURS);
    assertThat(admitted(dedup, 0, OURS)).as("remembered").isZero();
    assertThat(alarms).isEmpty();
    long lost = FLOOD - admitted(dedup, 1_000_000, FLOOD);
    assertThat(lost).as("new records are not lost by it").isLessThan(FLOOD / 1000);
    assertThat(alarms).containsExactly(Alarm.Reason.FORGETTING);
    assertThat(admitted(dedup, 0, OURS)).as("forgotten").isGreaterThan(OURS / 2);
    Report report = dedup.report();
    assertThat(report.evictedEarly().orElseThrow()).isGreaterThan(FLOOD / 2);
    assertThat(report.audit().orElseThrow().fnr().rate()).as("measured").isGreaterThan(0.2);
    assertThat(dedup.memoryBytes()).isLessThanOrEqualTo(KiB(64));
  }

  @Test
  void with_a_window_its_coverage_says_how_much_is_left_of_it() {
    Deduplicator<Long> dedup = small().window(Window.time(Duration.ofMinutes(10))).build();
    admitted(dedup, 0, OURS);
    assertThat(dedup.report().windowCoverage()).isEqualTo(1);
    for (int step = 0; step < 20; step++) {
      now.addAndGet(30_000);
      admitted(dedup, 1_000_000 + (long) step * FLOOD, FLOOD / 4);
    }
    assertThat(dedup.report().windowCoverage()).isLessThan(0.9);
    assertThat(alarms).contains(Alarm.Reason.FORGETTING);
  }
}
