package dev.unseen.flink;

import dev.unseen.filter.engine.ShardNumbers;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupStatePartitionStreamProvider;

/**
 * Joins the shards that a checkpoint or savepoint holds for one task. A shard is rejected if it is
 * damaged or belongs to another filter than the others. If one is missing, all are rejected.
 */
final class RestoredShards {
  private static final String REMEDY =
      "; start the job from another checkpoint or savepoint, or without one to start empty";

  private Snapshot joined; // null: none yet

  /** Reads all shards that exist. */
  void addAll(Iterable<KeyGroupStatePartitionStreamProvider> keyGroups) throws IOException {
    for (KeyGroupStatePartitionStreamProvider keyGroup : keyGroups) {
      try (InputStream in = keyGroup.getStream()) {
        add(keyGroup.getKeyGroupId(), in);
      }
    }
  }

  void add(int shard, InputStream in) throws IOException {
    Snapshot one;
    try {
      one = Snapshot.read(Channels.newChannel(in), "shard %d of the state".formatted(shard));
    } catch (SnapshotException e) {
      throw new JobRejectedException(e.getMessage() + REMEDY, e);
    }
    requireShard(shard, one);
    try {
      joined = joined == null ? one : Snapshot.merge(joined, one);
    } catch (IllegalArgumentException e) {
      throw new JobRejectedException(
          "shard %d does not fit the other shards of the state: ".formatted(shard)
              + e.getMessage()
              + REMEDY,
          e);
    }
  }

  private static void requireShard(int shard, Snapshot one) {
    String held = ShardNumbers.text(one.heldShards());
    if (!held.equals(Integer.toString(shard))) {
      throw new JobRejectedException(
          "key group %d of the state holds the shards %s, and must hold the shard of its number"
                  .formatted(shard, held)
              + REMEDY,
          null);
    }
  }

  boolean isEmpty() {
    return joined == null;
  }

  /** Returns the state of these shards, of which none may be missing. */
  Snapshot complete(int[] shards) {
    ShardedFilter held = (ShardedFilter) joined.filter();
    IntStream.of(shards)
        .filter(shard -> !held.holds(shard))
        .findFirst()
        .ifPresent(
            shard -> {
              throw new JobRejectedException(
                  "the state to start from has no shard %d, and every shard must exist"
                          .formatted(shard)
                      + REMEDY,
                  null);
            });
    return joined;
  }
}
