package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.audit.AuditSpec.oneIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.audit.AuditReport;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.hash.HashKind;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Saving, loading, measuring and committing through the public door. */
final class StatefulDeduplicatorTest {
  @TempDir private Path dir;

  private static List<String> records(int count, long seed) {
    SplitMix64 random = new SplitMix64(seed);
    List<String> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add("record " + random.below(count / 2));
    }
    return records;
  }

  private static DeduplicatorBuilder<String> small(FilterKind kind) {
    return Deduplicator.builder(Keys.utf8()).kind(kind).memory(KiB(16)).seed(5);
  }

  @ParameterizedTest
  @EnumSource
  void goes_on_from_a_file_as_if_it_had_never_stopped(FilterKind kind) throws IOException {
    Path file = dir.resolve("s.uns");
    List<String> records = records(20_000, 1);
    Deduplicator<String> never = small(kind).audit(oneIn(4)).build();
    Deduplicator<String> first = small(kind).audit(oneIn(4)).build();
    for (String record : records.subList(0, 9_000)) {
      assertThat(first.admit(record)).isEqualTo(never.admit(record));
    }
    first.save(file, Map.of("offset", "9000"));
    Deduplicator<String> second = Deduplicator.load(Keys.utf8(), file);
    assertThat(second.metadata()).isEqualTo(Map.of("offset", "9000"));
    assertThat(second.report()).isEqualTo(never.report());
    List<String> rest = records.subList(9_000, 20_000);
    assertThat(second.admitAll(rest)).isEqualTo(never.admitAll(rest));
    assertThat(second.report()).isEqualTo(never.report());
    assertThat(second.report().audit().orElseThrow().fpr().trials()).isPositive();
  }

  @Test
  void saving_keeps_a_file_that_another_has_open() throws IOException {
    Path file = dir.resolve("s.uns");
    Deduplicator<String> dedup = small(FilterKind.BLOOM).build();
    try (StateFile open = StateFile.open(file)) {
      open.save(dedup.snapshot(Map.of("by", "the owner")));
      assertThatThrownBy(() -> dedup.save(file))
          .isInstanceOf(SnapshotException.class)
          .hasMessageContaining("in use");
    }
    assertThat(Deduplicator.load(Keys.utf8(), file).metadata()).containsEntry("by", "the owner");
  }

  @Test
  void a_state_that_does_not_fit_the_wishes_is_rejected() throws IOException {
    Path file = dir.resolve("s.uns");
    small(FilterKind.BLOOM).build().save(file);
    assertThat(small(FilterKind.BLOOM).load(file).records()).isZero();
    assertThatThrownBy(() -> small(FilterKind.RLBSBF).load(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kind: bloom and rlbsbf");
    assertThatThrownBy(() -> small(FilterKind.BLOOM).audit(oneIn(8)).load(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("audit: none and one in 8 keys");
    assertThatThrownBy(() -> small(FilterKind.BLOOM).concurrent().load(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("concurrent: for one thread and for many");
  }

  @Test
  void windows_of_event_time_go_on() throws IOException {
    Path file = dir.resolve("s.uns");
    DeduplicatorBuilder<Long> builder =
        Deduplicator.builder(Keys.longs((Long time) -> time % 100))
            .seed(0)
            .memory(KiB(64))
            .window(Window.time(Duration.ofMillis(80)))
            .eventTime(time -> time);
    Deduplicator<Long> never = builder.build();
    Deduplicator<Long> stopped = builder.build();
    for (long time = 0; time < 5000; time++) {
      if (time % 500 == 250) {
        stopped.save(file);
        stopped = builder.load(file);
      }
      assertThat(stopped.admit(time)).isEqualTo(never.admit(time)).isTrue();
      assertThat(stopped.admit(time)).isEqualTo(never.admit(time)).isFalse();
    }
  }

  @Test
  void a_ticket_marks_its_record_only_when_it_is_committed() {
    Deduplicator<String> dedup = small(FilterKind.RECENCY).build();
    Ticket abandoned = dedup.probe("a");
    assertThat(abandoned.fresh()).isTrue();
    assertThat(dedup.records()).isZero();
    Ticket ticket = dedup.probe("a");
    assertThat(ticket.fresh()).as("the first was not committed").isTrue();
    assertThat(ticket.committed()).isFalse();
    assertThat(ticket.commit()).isTrue();
    assertThat(ticket.committed()).isTrue();
    assertThat(dedup.probe("a").fresh()).isFalse();
    assertThat(dedup.records()).isEqualTo(1);
    assertThat(dedup.admitted()).isEqualTo(1);
  }

  @Test
  void a_second_commit_of_a_ticket_or_of_its_key_changes_nothing() {
    Deduplicator<String> dedup = small(FilterKind.RECENCY).build();
    Ticket one = dedup.probe("a");
    Ticket two = dedup.probe("a");
    assertThat(one.fresh() && two.fresh()).isTrue();
    assertThat(one.commit()).isTrue();
    assertThat(one.commit()).as("the same ticket").isFalse();
    assertThat(dedup.records()).isEqualTo(1);
    assertThat(two.commit()).as("another ticket of the same key").isFalse();
    assertThat(dedup.records()).isEqualTo(2);
    assertThat(dedup.admitted()).isEqualTo(1);
    Ticket late = dedup.probe("a");
    assertThat(late.fresh()).isFalse();
    assertThat(late.commit()).isFalse();
  }

  /** Probe and commit at once is what admit is. */
  @ParameterizedTest
  @EnumSource
  void commits_give_the_answers_of_admit(FilterKind kind) {
    Deduplicator<String> admits = small(kind).build();
    Deduplicator<String> commits = small(kind).build();
    for (String record : records(20_000, 2)) {
      Ticket ticket = commits.probe(record);
      boolean admitted = admits.admit(record);
      assertThat(ticket.fresh()).isEqualTo(admitted);
      assertThat(ticket.commit()).isEqualTo(admitted);
    }
    assertThat(commits.report()).isEqualTo(admits.report());
  }

  @Test
  void the_alarm_is_raised_once_when_more_is_lost_than_allowed() throws IOException {
    List<Alarm> alarms = new ArrayList<>();
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs())
            .seed(0)
            .kind(FilterKind.BLOOM)
            .memory(KiB(16))
            .expectedKeys(10_000)
            .maxFalsePositiveRate(0.01)
            .audit(oneIn(8))
            .onAlarm(alarms::add)
            .build();
    Path recorded = dir.resolve("r.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("dev.unseen.Alarm");
      recording.start();
      LongStream.range(0, 9_000).forEach(dedup::admit);
      assertThat(alarms).isEmpty();
      LongStream.range(9_000, 100_000).forEach(dedup::admit);
      recording.stop();
      recording.dump(recorded);
    }
    assertThat(alarms).hasSize(1);
    Alarm alarm = alarms.get(0);
    assertThat(alarm.reason()).isEqualTo(Alarm.Reason.FALSE_POSITIVES);
    assertThat(alarm.message()).contains("bloom k=").contains("loses more than 1 %");
    assertThat(alarm.report().records()).isLessThan(60_000);
    AuditReport audit = dedup.report().audit().orElseThrow();
    assertThat(audit.fpr().low()).isGreaterThan(0.01);
    List<RecordedEvent> events = RecordingFile.readAllEvents(recorded);
    assertThat(events).hasSize(1);
    assertThat(events.get(0).getString("filter")).startsWith("bloom k=");
    assertThat(events.get(0).getDouble("maxFpr")).isEqualTo(0.01);
    assertThat(Files.size(recorded)).isPositive();
  }

  @Test
  void a_keyed_hash_is_part_of_the_state() throws IOException {
    Path file = dir.resolve("s.uns");
    Deduplicator<String> dedup = small(FilterKind.RECENCY).hash(HashKind.SIPHASH).build();
    dedup.admit("a");
    dedup.save(file);
    Deduplicator<String> loaded = Deduplicator.load(Keys.utf8(), file);
    assertThat(loaded.spec().hash()).isEqualTo(HashKind.SIPHASH);
    assertThat(loaded.mightContain("a")).isTrue();
    assertThat(loaded.mightContain("b")).isFalse();
  }
}
