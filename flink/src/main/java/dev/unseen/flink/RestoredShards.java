package dev.unseen.flink;

import dev.unseen.error.DifferentOptionsException.Difference;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardNumbers;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupStatePartitionStreamProvider;

/**
 * Joins the shards that a checkpoint or savepoint holds for one task. A shard is rejected if it is
 * damaged or belongs to another filter than the job's. If one is missing, all are rejected.
 */
final class RestoredShards {
  private static final String WAY_OUT =
      "; start the job from another checkpoint or savepoint, or without one to start anew";

  private Snapshot joined;

  RestoredShards(FilterSetup setup) {
    this.joined = setup.noShards();
  }

  /** Reads all shards that exist. */
  void addAll(Iterable<KeyGroupStatePartitionStreamProvider> keyGroups) throws IOException {
    for (KeyGroupStatePartitionStreamProvider keyGroup : keyGroups) {
      try (InputStream in = keyGroup.getStream()) {
        add(keyGroup.getKeyGroupId(), in);
      }
    }
  }

  private void add(int shard, InputStream in) throws IOException {
    Snapshot one;
    try {
      one = Snapshot.read(Channels.newChannel(in), "shard %d of the state".formatted(shard));
    } catch (SnapshotException e) {
      throw new JobRefusedException(e.getMessage() + WAY_OUT, e);
    }
    requireShard(shard, one);
    requireSpec(one.spec());
    try {
      joined = Snapshot.merge(joined, one);
    } catch (IllegalArgumentException e) {
      throw new JobRefusedException(
          "the state to start from does not fit the job: " + e.getMessage() + WAY_OUT, e);
    }
  }

  private static void requireShard(int shard, Snapshot one) {
    String held = ShardNumbers.text(one.heldShards());
    if (!held.equals(Integer.toString(shard))) {
      throw new JobRefusedException(
          "key group %d of the state holds the shards %s, and must hold the shard of its number"
                  .formatted(shard, held)
              + WAY_OUT,
          null);
    }
  }

  private void requireSpec(FilterSpec saved) {
    List<Difference> differences = saved.differencesTo(joined.spec());
    if (!differences.isEmpty()) {
      throw new JobRefusedException(
          "the state to start from was saved with other options than those of the job (%s); give the job the saved ones. Name the savepoint in execution.state-recovery.path, as `flink run -s` does, and those that you leave out are taken from it"
              .formatted(
                  differences.stream().map(Difference::toString).collect(Collectors.joining("; "))),
          null);
    }
  }

  boolean isEmpty() {
    return joined.heldShards().isEmpty();
  }

  /** Returns the state of these shards, of which none may be missing. */
  Snapshot complete(int[] shards) {
    ShardedFilter held = (ShardedFilter) joined.filter();
    IntStream.of(shards)
        .filter(shard -> !held.holds(shard))
        .findFirst()
        .ifPresent(
            shard -> {
              throw new JobRefusedException(
                  "the state to start from has no shard %d, and every shard must be there"
                          .formatted(shard)
                      + WAY_OUT,
                  null);
            });
    return joined;
  }
}
