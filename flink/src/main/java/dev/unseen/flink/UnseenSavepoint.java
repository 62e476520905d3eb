package dev.unseen.flink;

import dev.unseen.filter.engine.ShardNumbers;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/**
 * Exports the state of a deduplication from a savepoint or a retained checkpoint, without a
 * cluster. The library and the command line resume from the exported state.
 *
 * <pre>{@code
 * UnseenSavepoint.export("s3://bucket/savepoints/savepoint-1f2e3d", "clicks-once", Path.of("clicks.uns"));
 * }</pre>
 */
public final class UnseenSavepoint {
  private UnseenSavepoint() {}

  /**
   * Reads the state of all shards, joined into one.
   *
   * @param savepoint its directory, as Flink's file systems name it
   * @param uid of the deduplication: see {@link UnseenDeduplication#uid}
   * @throws SnapshotException if a shard is damaged
   * @throws IllegalArgumentException if a shard is missing, or there is no such deduplication
   */
  public static Snapshot read(String savepoint, String uid) throws IOException {
    Objects.requireNonNull(savepoint, "savepoint is null; name its directory");
    Objects.requireNonNull(uid, "uid is null; name that of the deduplication");
    Snapshot joined = null;
    for (KeyGroupsStateHandle task : tasks(savepoint)) {
      for (int keyGroup : task.getKeyGroupRange()) {
        Snapshot shard = shard(task, keyGroup, savepoint);
        if (shard == null || !uid.equals(shard.metadata().get(FilterSetup.UID))) {
          break;
        }
        joined = joined == null ? shard : Snapshot.merge(joined, shard);
      }
    }
    if (joined == null) {
      throw new IllegalArgumentException(
          "%s: there is no state of a deduplication with the uid '%s' in this savepoint; name another savepoint or another uid"
              .formatted(savepoint, uid));
    }
    if (joined.heldShards().size() < joined.shards()) {
      throw new IllegalArgumentException(
          "%s: the savepoint holds the shards %s of %d, so it is not whole; name another"
              .formatted(savepoint, ShardNumbers.text(joined.heldShards()), joined.shards()));
    }
    return joined;
  }

  /** Writes what {@link #read} reads to a file, in the place of the one before. */
  public static void export(String savepoint, String uid, Path file) throws IOException {
    Snapshot state = read(savepoint, uid);
    try (StateFile to = StateFile.open(file)) {
      to.save(state);
    }
  }

  /** Returns the raw keyed state of all tasks of all operators. */
  private static List<KeyGroupsStateHandle> tasks(String savepoint) throws IOException {
    CompletedCheckpointStorageLocation location =
        AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(savepoint);
    try (DataInputStream in = new DataInputStream(location.getMetadataHandle().openInputStream())) {
      return Checkpoints.loadCheckpointMetadata(
              in, UnseenSavepoint.class.getClassLoader(), location.getExternalPointer())
          .getOperatorStates()
          .stream()
          .flatMap(operator -> operator.getStates().stream())
          .flatMap(task -> task.getRawKeyedState().stream())
          .filter(KeyGroupsStateHandle.class::isInstance)
          .map(KeyGroupsStateHandle.class::cast)
          .toList();
    }
  }

  /** Reads a shard; null if the state is of another operator, such as that of Flink's timers. */
  private static Snapshot shard(KeyGroupsStateHandle task, int keyGroup, String savepoint)
      throws IOException {
    long offset = task.getOffsetForKeyGroup(keyGroup);
    try (FSDataInputStream in = task.openInputStream()) {
      in.seek(offset);
      if (!Snapshot.isState(in)) {
        return null;
      }
      in.seek(offset);
      return Snapshot.read(Channels.newChannel(in), "%s, shard %d".formatted(savepoint, keyGroup));
    }
  }
}
