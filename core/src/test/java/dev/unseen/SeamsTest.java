package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static dev.unseen.audit.AuditSpec.oneIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others build on: copies, streams, shards, sizes. */
final class SeamsTest {
  private static DeduplicatorBuilder<Long> of(FilterKind kind) {
    return Deduplicator.builder(Keys.longs())
        .seed(0)
        .kind(kind)
        .memory(KiB(256))
        .onAlarm(alarm -> {});
  }

  private static long admitted(Deduplicator<Long> dedup, long from, long to) {
    return LongStream.range(from, to).filter(dedup::admit).count();
  }

  @ParameterizedTest
  @EnumSource
  void a_copy_goes_its_own_way(FilterKind kind) {
    for (boolean concurrent : new boolean[] {false, true}) {
      DeduplicatorBuilder<Long> builder = of(kind).audit(oneIn(4));
      Deduplicator<Long> dedup = (concurrent ? builder.concurrent() : builder).build();
      admitted(dedup, 0, 5000);
      Deduplicator<Long> copy = dedup.copy();
      assertThat(copy.report()).isEqualTo(dedup.report());
      Report before = dedup.report();
      admitted(copy, 5000, 9000);
      assertThat(dedup.report()).isEqualTo(before);
      admitted(dedup, 5000, 9000);
      assertThat(copy.report()).isEqualTo(dedup.report());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_cleared_one_is_as_new(FilterKind kind) {
    for (boolean concurrent : new boolean[] {false, true}) {
      DeduplicatorBuilder<Long> builder = of(kind).audit(oneIn(4));
      Deduplicator<Long> dedup = (concurrent ? builder.concurrent() : builder).build();
      Report fresh = dedup.report();
      long first = admitted(dedup, 0, 5000);
      dedup.clear();
      assertThat(dedup.report()).isEqualTo(fresh);
      assertThat(admitted(dedup, 0, 5000)).isEqualTo(first);
    }
  }

  @Test
  void a_merged_one_knows_the_keys_of_both() {
    Deduplicator<Long> a = of(FilterKind.RECENCY).build();
    Deduplicator<Long> b = of(FilterKind.RECENCY).build();
    admitted(a, 0, 3000);
    admitted(b, 2000, 6000);
    a.merge(b);
    assertThat(a.records()).isEqualTo(7000);
    assertThat(admitted(a, 0, 6000)).isZero();
    assertThatThrownBy(() -> a.merge(of(FilterKind.BLOOM).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kind: recency and bloom");
  }

  /**
   * Far from full, each kind knows within 3 % how many keys it holds; forgetting ones hold fewer.
   */
  @ParameterizedTest
  @EnumSource(names = {"BLOOM", "RECENCY", "RLBSBF", "SAMPLED"})
  void the_keys_held_are_estimated(FilterKind kind) {
    Deduplicator<Long> dedup = of(kind).memory(MiB(1)).build();
    admitted(dedup, 0, 40_000);
    double stored = kind == FilterKind.SAMPLED ? 20_000 : 40_000;
    assertThat((double) dedup.estimatedCardinality()).isCloseTo(stored, within(0.03 * stored));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1000, 300_000})
  void memory_follows_from_the_expected_keys(long keys) {
    Deduplicator<Long> recency =
        Deduplicator.builder(Keys.longs())
            .seed(0)
            .expectedKeys(keys)
            .maxFalsePositiveRate(1e-3)
            .build();
    long lost = keys - admitted(recency, 0, keys);
    // Expected are at most 1e-3 and 1e-4 of the keys; three standard deviations more are allowed.
    assertThat((double) lost).isLessThanOrEqualTo(1e-3 * keys + 3 * Math.sqrt(1e-3 * keys) + 1);
    assertThat((double) recency.report().evictedEarly().orElseThrow())
        .isLessThanOrEqualTo(1e-4 * keys + 3 * Math.sqrt(1e-4 * keys) + 1);
    Deduplicator<Long> bloom =
        Deduplicator.builder(Keys.longs())
            .seed(0)
            .kind(FilterKind.BLOOM)
            .expectedKeys(keys)
            .maxFalsePositiveRate(1e-3)
            .build();
    admitted(bloom, 0, keys);
    assertThat(bloom.estimatedFpr()).isLessThan(1.1e-3);
    assertThat(8.0 * bloom.memoryBytes() / keys).isLessThan(keys == 1 ? 513 : 16);
    assertThatThrownBy(
            () ->
                Deduplicator.builder(Keys.longs())
                    .seed(0)
                    .kind(FilterKind.BSBF)
                    .expectedKeys(9)
                    .build())
        .hasMessageContaining("memory must be set for bsbf");
  }

  @Test
  void a_window_needs_more_room_for_its_keys_if_records_may_be_late() {
    DeduplicatorBuilder<Long> builder = Deduplicator.builder(Keys.longs()).expectedKeys(100_000);
    long without = builder.build().memoryBytes();
    Window window = Window.time(Duration.ofHours(1)).withLateness(Duration.ofHours(1));
    long with = builder.window(window).eventTime(key -> key).build().memoryBytes();
    assertThat(with).isGreaterThan(without);
  }

  @Test
  void states_follow_each_other_in_one_stream() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (long i = 1; i <= 3; i++) {
      Deduplicator<Long> dedup = of(FilterKind.RECENCY).build();
      admitted(dedup, 0, i);
      if (i == 2) {
        dedup.save(Channels.newChannel(out));
      } else {
        dedup.save(out);
      }
    }
    InputStream in = new ByteArrayInputStream(out.toByteArray());
    for (long i = 1; i <= 3; i++) {
      assertThat(Deduplicator.builder(Keys.longs()).load(in).records()).isEqualTo(i);
    }
    assertThat(in.read()).as("nothing is left").isEqualTo(-1);
    byte[] cut = Arrays.copyOf(out.toByteArray(), 5000);
    assertThatThrownBy(() -> Deduplicator.builder(Keys.longs()).load(new ByteArrayInputStream(cut)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the file is cut short")
        .hasMessageContaining("ends at byte 5,000");
  }

  private static byte[] shard(Deduplicator<Long> dedup, int index) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    dedup.saveShard(index, out);
    return out.toByteArray();
  }

  private static Deduplicator<Long> shards(Deduplicator<Long> from, int... indices)
      throws IOException {
    List<InputStream> streams = new ArrayList<>();
    for (int index : indices) {
      streams.add(new ByteArrayInputStream(shard(from, index)));
    }
    return Deduplicator.builder(Keys.longs()).loadShards(streams);
  }

  /** Every shard goes through bytes; together they are what they were. */
  @Test
  void shards_come_together_again_without_a_loss() throws IOException {
    Deduplicator<Long> all = of(FilterKind.RECENCY).concurrent().build();
    admitted(all, 0, 10_000);
    int[] half = IntStream.range(0, 64).toArray();
    int[] rest = IntStream.range(64, 128).toArray();
    Deduplicator<Long> joined = shards(all, half);
    assertThat(joined.shards()).hasSize(64).contains(0, 63);
    assertThat(joined.records()).isLessThan(10_000);
    joined.merge(shards(all, rest));
    assertThat(joined.shards()).hasSize(128);
    assertThat(joined.report()).isEqualTo(all.report());
    assertThat(admitted(joined, 0, 10_000)).isZero();
  }

  @Test
  void a_key_of_a_shard_that_is_elsewhere_is_rejected() throws IOException {
    Deduplicator<Long> all = of(FilterKind.RECENCY).concurrent().build();
    Deduplicator<Long> two = shards(all, 5, 6);
    long mine = LongStream.range(0, 10_000).filter(k -> two.shardOf(k) == 5).findFirst().orElse(0);
    long other = LongStream.range(0, 10_000).filter(k -> two.shardOf(k) == 9).findFirst().orElse(0);
    assertThat(two.admit(mine)).isTrue();
    assertThatThrownBy(() -> two.admit(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shard 9 is not held here (held: 5-6)");
    assertThatThrownBy(() -> two.admitAll(List.of(mine, other)))
        .hasMessageContaining("shard 9 is not held here");
    assertThat(two.records()).as("nothing of the batch was taken in").isEqualTo(1);
    assertThatThrownBy(() -> shards(of(FilterKind.RECENCY).build(), 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("concurrent()");
    Deduplicator<Long> seeded = of(FilterKind.RECENCY).seed(9).concurrent().build();
    assertThatThrownBy(() -> two.merge(shards(seeded, 7))).hasMessageContaining("seed: 0 and 9");
  }

  private static final Hash64 HASH = HashKind.XXH3.create(0);

  @Test
  void keys_of_buffers_enums_times_and_missing_parts() {
    byte[] bytes = "clicks".getBytes(StandardCharsets.UTF_8);
    long expected = Keys.bytes().hash(bytes, HASH);
    Key<ByteBuffer> buffer = Keys.buffer(any -> any);
    assertThat(buffer.hash(ByteBuffer.wrap(bytes), HASH)).isEqualTo(expected);
    ByteBuffer direct = ByteBuffer.allocateDirect(10).put((byte) 1).put(bytes).flip().position(1);
    assertThat(buffer.hash(direct, HASH)).isEqualTo(expected);
    assertThat(direct.remaining()).as("it is left as it was").isEqualTo(6);
    assertThat(buffer.hash(ByteBuffer.wrap(bytes).slice(1, 3), HASH))
        .isEqualTo(Keys.utf8().hash("lic", HASH));
    Key<TimeUnit> unit = Keys.enums(any -> any);
    assertThat(unit.hash(TimeUnit.DAYS, HASH)).isEqualTo(Keys.utf8().hash("DAYS", HASH));
    Key<Instant> instant = Keys.instant(any -> any);
    assertThat(instant.hash(Instant.ofEpochSecond(1, 1), HASH))
        .isNotEqualTo(instant.hash(Instant.ofEpochSecond(1, 2), HASH))
        .isNotEqualTo(instant.hash(Instant.ofEpochSecond(2, 1), HASH));
    Key<String[]> parts =
        Keys.composite(
            Keys.utf8((String[] row) -> row[0]),
            Keys.nullable(row -> row[1] == null, Keys.utf8((String[] row) -> row[1])));
    long missing = parts.hash(new String[] {"a", null}, HASH);
    assertThat(missing)
        .isEqualTo(parts.hash(new String[] {"a", null}, HASH))
        .isNotEqualTo(parts.hash(new String[] {"a", ""}, HASH))
        .isNotEqualTo(parts.hash(new String[] {"b", null}, HASH));
    assertThat(parts.form().encoding()).isEqualTo("composite(bytes,nullable(bytes))");
  }
}
