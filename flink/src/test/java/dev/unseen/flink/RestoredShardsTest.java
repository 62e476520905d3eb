package dev.unseen.flink;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.GateConfig.OnChange;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shards of several former tasks become those of one. */
class RestoredShardsTest {
  private static final int KEYS = 20_000;
  private static final int[] LEFT = IntStream.range(0, 64).toArray();
  private static final int[] RIGHT = IntStream.range(64, 128).toArray();
  private static final int[] ALL = IntStream.range(0, 128).toArray();

  private final AtomicLong clock =
      new AtomicLong(Instant.parse("2026-06-01T12:00:00Z").toEpochMilli());
  private final Map<Integer, byte[]> savepoint = new HashMap<>();

  private GateBuilder options() {
    return Gate.builder()
        .concurrent()
        .onChange(OnChange.GROW)
        .clock(() -> Instant.ofEpochMilli(clock.get()));
  }

  private void save(Gate task) throws IOException {
    Snapshot state = task.copyState(null);
    for (int shard : task.shards()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      state.shard(shard).write(out);
      savepoint.put(shard, out.toByteArray());
    }
  }

  private Gate restore(int[] shards, GateBuilder with) throws IOException {
    RestoredShards restored = new RestoredShards();
    for (int shard : shards) {
      restored.add(shard, new ByteArrayInputStream(savepoint.get(shard)));
    }
    return with.restore(restored.complete(shards));
  }

  /** Admits those of these keys that belong to a task. Returns how many were new. */
  private static int admit(Gate task, int from, int to) {
    ShardedFilter held = (ShardedFilter) task.snapshot(Map.of()).filter();
    return (int)
        IntStream.range(from, to)
            .mapToLong(key -> task.hash().hash(key))
            .filter(hash -> held.holds(ShardedFilter.shardOf(hash)))
            .filter(task::admit)
            .count();
  }

  private void saveKeys() throws IOException {
    Gate small = options().memory(KiB(256)).maxFalsePositiveRate(1e-9).build();
    assertThat(admit(small, 0, KEYS)).isEqualTo(KEYS);
    save(small);
  }

  @Test
  void a_handover_that_has_ended_in_one_task_goes_on_for_the_shards_of_another()
      throws IOException {
    saveKeys();
    Gate left = restore(LEFT, options().memory(MiB(1)));
    Gate right = restore(RIGHT, options().memory(MiB(1)));
    assertThat(admit(left, 0, KEYS)).isZero();
    admit(left, KEYS, 3 * KEYS);
    assertThat(left.report().predecessorBytes()).isZero();
    assertThat(right.report().predecessorBytes()).isPositive();
    long held = right.report().handoverLeft().orElseThrow();
    save(left);
    save(right);

    Gate both = restore(ALL, options());
    assertThat(both.report().handoverLeft()).hasValue(held);
    assertThat(admit(both, 0, KEYS)).isZero();
    save(both);
    Gate third = restore(IntStream.range(40, 90).toArray(), options().memory(MiB(2)));
    assertThat(admit(third, 0, KEYS)).isZero();
  }

  @Test
  void a_limited_handover_does_not_begin_again_with_each_restart() throws IOException {
    saveKeys();
    GateBuilder grown = options().memory(MiB(1)).maxHandover(Duration.ofHours(1));
    save(restore(ALL, grown));
    clock.addAndGet(Duration.ofMinutes(59).toMillis());
    save(restore(LEFT, grown));
    save(restore(RIGHT, grown));
    assertThat(restore(ALL, grown).report().predecessorBytes()).isPositive();
    clock.addAndGet(Duration.ofMinutes(2).toMillis());
    assertThat(restore(ALL, grown).report().predecessorBytes()).isZero();
  }
}
