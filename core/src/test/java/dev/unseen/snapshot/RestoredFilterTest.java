package dev.unseen.snapshot;

import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Specs;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.HashKind;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter that was saved and loaded goes on as if it had never stopped. */
final class RestoredFilterTest {
  @Property(tries = 300)
  void goes_on_bit_for_bit(Choices choices) throws IOException {
    FilterSpec spec = choices.draw("spec", Specs.any());
    long streamSeed = choices.draw("streamSeed", longs());
    DuplicateFilter never = Filters.create(spec);
    DuplicateFilter stopped = Filters.create(spec);
    long[] hashes = Specs.hashes(3000, streamSeed);
    int half = 1 + (int) Math.floorMod(streamSeed, 2000L);
    for (int i = 0; i < half; i++) {
      never.admit(hashes[i]);
      stopped.admit(hashes[i]);
    }
    Snapshot restored = Bytes.read(Bytes.of(at(stopped, half)));
    assertThat(restored.spec()).isEqualTo(spec);
    for (int i = half; i < hashes.length; i++) {
      assertThat(restored.filter().admit(hashes[i]))
          .as("record %d", i)
          .isEqualTo(never.admit(hashes[i]));
    }
    assertThat(restored.filter().load()).isEqualTo(never.load());
    assertThat(restored.filter().estimatedFpr()).isEqualTo(never.estimatedFpr());
    assertThat(Bytes.of(at(restored.filter(), 7))).isEqualTo(Bytes.of(at(never, 7)));
  }

  private static Snapshot at(DuplicateFilter filter, long records) {
    return Snapshot.of(filter, records, 1).withSavedAt(1_700_000_000_000L).withMaxFpr(0.01);
  }

  @ParameterizedTest
  @EnumSource
  void goes_on_in_a_window_of_time(Refresh refresh) throws IOException {
    FilterSpec spec =
        FilterSpec.builder(FilterKind.RECENCY, 4000)
            .window(Window.time(Duration.ofSeconds(10)))
            .refresh(refresh)
            .build();
    DuplicateFilter never = Filters.create(spec);
    DuplicateFilter stopped = Filters.create(spec);
    long[] hashes = Specs.hashes(20_000, 5);
    for (int i = 0; i < hashes.length; i++) {
      if (i % 777 == 700) {
        stopped = Bytes.read(Bytes.of(at(stopped, i))).filter();
      }
      long millis = 1_700_000_000_000L + i * 13L;
      never.advanceTo(millis);
      stopped.advanceTo(millis);
      assertThat(stopped.admit(hashes[i])).as("record %d", i).isEqualTo(never.admit(hashes[i]));
    }
    assertThat(Bytes.of(at(stopped, 7))).isEqualTo(Bytes.of(at(never, 7)));
  }

  /** Popular keys among many others: RECENCY sorts its lines. */
  @Test
  void goes_on_with_sorted_lines() throws IOException {
    DuplicateFilter never =
        Filters.create(FilterSpec.builder(FilterKind.RECENCY, 8192).maxFpr(1e-3).build());
    DuplicateFilter stopped = Filters.create(never.spec());
    long[] hashes = Specs.popular(300_000, 2000, 1);
    for (int i = 0; i < hashes.length; i++) {
      if (i % 7777 == 7000) {
        stopped = Bytes.read(Bytes.of(at(stopped, i))).filter();
      }
      assertThat(stopped.admit(hashes[i])).as("record %d", i).isEqualTo(never.admit(hashes[i]));
    }
    assertThat(never.estimatedFpr()).as("lines in order have less").isGreaterThan(31.5 / 40 / 1024);
    assertThat(Bytes.of(at(stopped, 7))).isEqualTo(Bytes.of(at(never, 7)));
  }

  @ParameterizedTest
  @EnumSource
  void shards_and_audit_go_on_too(FilterKind kind) throws IOException {
    FilterSpec spec = FilterSpec.builder(kind, 20_000).hash(HashKind.SIPHASH).seed(9).build();
    ShardedFilter never = ShardedFilter.of(spec);
    ShardedFilter stopped = ShardedFilter.of(spec);
    AuditSpec watch = AuditSpec.oneIn(3).memory(4096);
    Audit neverAudit = new Audit(watch, spec);
    Audit stoppedAudit = new Audit(watch, spec);
    for (long hash : Specs.hashes(4000, 1)) {
      neverAudit.observe(hash, never.admit(hash));
      stoppedAudit.observe(hash, stopped.admit(hash));
    }
    Snapshot restored = Bytes.read(Bytes.of(at(stopped, 4000).with(stoppedAudit)));
    Audit restoredAudit = restored.audit().orElseThrow();
    assertThat(restoredAudit.report()).isEqualTo(neverAudit.report());
    for (long hash : Specs.hashes(8000, 1)) {
      boolean fresh = never.admit(hash);
      assertThat(restored.filter().admit(hash)).isEqualTo(fresh);
      neverAudit.observe(hash, fresh);
      restoredAudit.observe(hash, fresh);
    }
    assertThat(restoredAudit.report()).isEqualTo(neverAudit.report());
    assertThat(((ShardedFilter) restored.filter()).records()).isEqualTo(12_000);
    assertThat(Bytes.of(at(restored.filter(), 7).with(restoredAudit)))
        .isEqualTo(Bytes.of(at(never, 7).with(neverAudit)));
  }

  @Test
  void keeps_counts_texts_and_limits() throws IOException {
    Map<String, String> texts = Map.of("topic-0", "12345", "", "empty key", "Ünïcode", "日本");
    DuplicateFilter filter = Filters.create(FilterSpec.of(FilterKind.BLOOM, 1000));
    Snapshot restored =
        Bytes.read(
            Bytes.of(
                Snapshot.of(filter, 1L << 40, 1L << 39)
                    .withSavedAt(42)
                    .withMaxFpr(0.25)
                    .with(texts)));
    assertThat(restored.savedAtMillis()).isEqualTo(42);
    assertThat(restored.records()).isEqualTo(1L << 40);
    assertThat(restored.admitted()).isEqualTo(1L << 39);
    assertThat(restored.maxFpr()).isEqualTo(0.25);
    assertThat(restored.metadata()).isEqualTo(texts);
    assertThat(restored.audit()).isEmpty();
  }

  /** More than one block, the last one not full. */
  @Test
  void storage_of_several_blocks_comes_back_whole() throws IOException {
    DuplicateFilter filter = Filters.create(FilterSpec.of(FilterKind.BSBF, (5 << 19) + 8 * 77));
    for (long hash : Specs.hashes(300_000, 3)) {
      filter.admit(hash);
    }
    byte[] bytes = Bytes.of(at(filter, 300_000));
    assertThat(bytes.length - filter.memoryBytes()).isBetween(100L, 500L);
    assertThat(Bytes.of(at(Bytes.read(bytes).filter(), 300_000))).isEqualTo(bytes);
  }
}
