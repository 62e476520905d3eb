package dev.unseen.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Deduplicator;
import dev.unseen.Keys;
import dev.unseen.SavedDeduplicator;
import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.FilterKind;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeduplicatorMetricsTest {
  @TempDir private Path dir;

  private final MeterRegistry registry = new SimpleMeterRegistry();

  private double counter(String name) {
    return registry.get(name).functionCounter().count();
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  @Test
  void meters_follow_the_deduplicator() {
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs())
            .seed(0)
            .kind(FilterKind.RLBSBF)
            .memory(10_000)
            .audit(AuditSpec.oneIn(2))
            .build();
    new DeduplicatorMetrics(dedup, Tags.of("stream", "clicks")).bindTo(registry);
    assertThat(counter("unseen.admitted")).isZero();
    for (long i = 0; i < 30_000; i++) {
      dedup.admit(i % 20_000);
    }
    assertThat(counter("unseen.admitted")).isEqualTo((double) dedup.admitted()).isPositive();
    assertThat(counter("unseen.duplicates"))
        .isEqualTo((double) (30_000 - dedup.admitted()))
        .isPositive();
    assertThat(gauge("unseen.load", "stream", "clicks")).isEqualTo(dedup.load()).isPositive();
    assertThat(gauge("unseen.estimated.fpr")).isEqualTo(dedup.estimatedFpr());
    assertThat(gauge("unseen.memory.bytes")).isEqualTo(10_000);
    assertThat(registry.find("unseen.window.coverage").gauge()).as("no window").isNull();
    var audit = dedup.report().audit().orElseThrow();
    assertThat(gauge("unseen.audited.fpr")).isEqualTo(audit.fpr().rate());
    assertThat(gauge("unseen.audited.fpr.low")).isEqualTo(audit.fpr().low());
    assertThat(gauge("unseen.audited.fnr.high")).isEqualTo(audit.fnr().high());
  }

  @Test
  void without_an_audit_there_are_no_measured_rates() {
    Deduplicator<Long> dedup = Deduplicator.builder(Keys.longs()).seed(0).memory(10_000).build();
    new DeduplicatorMetrics(dedup, Tags.empty()).bindTo(registry);
    assertThat(registry.find("unseen.audited.fpr").gauge()).isNull();
    assertThat(registry.find("unseen.load").gauge()).isNotNull();
  }

  @Test
  void saves_are_timed() throws IOException {
    Path file = dir.resolve("s.uns");
    Deduplicator<Long> dedup = Deduplicator.builder(Keys.longs()).seed(0).memory(10_000).build();
    DeduplicatorMetrics metrics = new DeduplicatorMetrics(dedup, Tags.empty());
    assertThatThrownBy(() -> metrics.save(file, Map.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("bindTo");
    metrics.bindTo(registry);
    metrics.save(file, Map.of("offset", "3"));
    assertThat(registry.get("unseen.save").timer().count()).isEqualTo(1);
    assertThat(Deduplicator.load(Keys.longs(), file).metadata()).containsEntry("offset", "3");
  }

  @Test
  void the_saves_of_an_owner_are_timed_and_dated() throws IOException {
    Path file = dir.resolve("s.uns");
    try (SavedDeduplicator<Long> saved =
        SavedDeduplicator.at(file)
            .clock(() -> Instant.ofEpochMilli(42_500))
            .open(Deduplicator.builder(Keys.longs()).expectedKeys(1_000).concurrent())) {
      new DeduplicatorMetrics(saved, Tags.of("name", "orders")).bindTo(registry);
      saved.deduplicator().admit(1L);
      assertThat(saved.save()).isTrue();
      assertThat(registry.get("unseen.save").tag("name", "orders").timer().count()).isEqualTo(1);
      assertThat(gauge("unseen.last.save.timestamp")).isEqualTo(42.5);
      Path obstacle = Files.createDirectory(dir.resolve("s.uns.new"));
      Files.createFile(obstacle.resolve("file"));
      saved.deduplicator().admit(2L);
      assertThatThrownBy(saved::save).isInstanceOf(IOException.class);
      assertThat(counter("unseen.save.failures")).isEqualTo(1);
      assertThat(registry.get("unseen.save").timer().count()).isEqualTo(1);
      Files.delete(obstacle.resolve("file"));
      Files.delete(obstacle);
    }
  }
}
