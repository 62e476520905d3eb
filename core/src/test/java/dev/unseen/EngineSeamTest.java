package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.Window;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What engines need that hold some shards of a filter in each of their processes. */
class EngineSeamTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private static GateBuilder options() {
    return Gate.builder().eventTime();
  }

  private static GateBuilder timed() {
    return options().memory(Memory.MiB(1)).seed(7).window(Window.time(Duration.ofHours(8)));
  }

  private static ReadableByteChannel channel(byte[] bytes) {
    return Channels.newChannel(new ByteArrayInputStream(bytes));
  }

  private static byte[] saved(Gate gate) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    gate.save(out, Map.of("source", "test"));
    return out.toByteArray();
  }

  @Test
  void time_that_passes_without_a_record_moves_the_window() {
    Gate gate = timed().build();
    assertThat(gate.admit(1, HOUR)).isTrue();
    gate.advanceTo(3 * HOUR);
    assertThat(gate.mightContain(1)).isTrue();
    gate.advanceTo(20 * HOUR);
    assertThat(gate.admit(1, 20 * HOUR)).as("seen more than a window ago").isTrue();
  }

  @Test
  void a_gate_knows_whether_a_key_was_seen_lately() {
    Gate gate = timed().build();
    assertThat(gate.latestMillis()).isEqualTo(Long.MIN_VALUE);
    gate.admit(1, 20 * HOUR);
    gate.admit(2, 25 * HOUR);
    assertThat(gate.latestMillis()).isEqualTo(25 * HOUR);
    assertThat(gate.mightContainSince(1, 22 * HOUR)).isFalse();
    assertThat(gate.mightContainSince(2, 22 * HOUR)).isTrue();
    assertThat(gate.mightContainSince(1, 18 * HOUR)).isTrue();
    assertThat(gate.admit(1, 25 * HOUR)).as("nothing was changed").isFalse();
    assertThat(gate.mightContainSince(1, 22 * HOUR)).as("seen again").isTrue();
    assertThat(gate.mightContainSince(3, 18 * HOUR)).isFalse();
  }

  @Test
  void time_that_is_told_and_not_used_counts_as_no_record() {
    Gate gate = timed().build();
    gate.admit(1, 20 * HOUR);
    gate.advanceTo(HOUR);
    gate.advanceTo(Long.MIN_VALUE);
    gate.advanceTo(Long.MAX_VALUE);
    assertThat(gate.report().lateTimes()).isZero();
    assertThat(gate.report().rejectedTimes()).isZero();
    assertThat(gate.admit(1, 20 * HOUR)).as("the window has not moved").isFalse();
  }

  @Test
  void all_shards_joined_again_count_late_records_once() throws IOException {
    Gate gate = timed().concurrent().build();
    gate.admit(1, 80 * HOUR);
    gate.admit(1, HOUR);
    gate.admit(1, HOUR);
    gate.admit(2, HOUR); // in another shard, which has its own latest time
    assertThat(gate.report().lateTimes()).isEqualTo(2);
    List<ByteArrayInputStream> shards = new ArrayList<>();
    for (int shard : gate.shards()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      gate.saveShard(shard, out);
      shards.add(new ByteArrayInputStream(out.toByteArray()));
    }
    Gate joined = options().loadShards(shards);
    assertThat(joined.report().lateTimes()).isEqualTo(2);
    assertThat(joined.records()).isEqualTo(4);
  }

  @Test
  void some_shards_of_a_state_are_read_and_the_others_left() throws IOException {
    Gate gate = Gate.builder().memory(Memory.MiB(1)).seed(7).concurrent().build();
    for (long hash = 1; hash <= 10_000; hash++) {
      gate.admit(hash * 0x9E3779B97F4A7C15L);
    }
    byte[] bytes = saved(gate);
    Snapshot low = Snapshot.readShards(channel(bytes), "state", shard -> shard < 40);
    Snapshot high = Snapshot.readShards(channel(bytes), "state", shard -> shard >= 40);
    assertThat(low.heldShards()).first().isEqualTo(0);
    assertThat(low.heldShards()).hasSize(40);
    assertThat(low.records() + high.records()).isEqualTo(10_000);
    assertThat(low.metadata()).containsEntry("source", "test");
    Gate lower = Gate.builder().restore(low);
    Gate upper = Gate.builder().restore(high);
    for (long hash = 1; hash <= 10_000; hash++) {
      long key = hash * 0x9E3779B97F4A7C15L;
      Gate its = ShardedFilter.shardOf(key) < 40 ? lower : upper;
      assertThat(its.mightContain(key)).isEqualTo(gate.mightContain(key));
    }
  }

  @Test
  void a_state_is_checked_to_its_end_though_no_shard_of_it_is_read() throws IOException {
    byte[] bytes = saved(Gate.builder().memory(Memory.MiB(1)).seed(7).concurrent().build());
    assertThat(Snapshot.readShards(channel(bytes), "s", shard -> false).heldShards()).isEmpty();
    bytes[bytes.length - 5000] ^= 1;
    assertThatThrownBy(() -> Snapshot.readShards(channel(bytes), "s", shard -> false))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("checksum");
  }

  @Test
  void a_state_that_is_not_in_shards_has_none_to_read() throws IOException {
    byte[] bytes = saved(Gate.builder().memory(Memory.MiB(1)).seed(7).build());
    assertThatThrownBy(() -> Snapshot.readShards(channel(bytes), "s.uns", shard -> true))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("s.uns")
        .hasMessageContaining("not in shards");
  }
}
