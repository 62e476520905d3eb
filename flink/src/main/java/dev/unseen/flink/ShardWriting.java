package dev.unseen.flink;

import dev.unseen.snapshot.Snapshot;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.flink.runtime.state.AsyncSnapshotCallable;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Writes the shards of a task as raw keyed state, one shard per key group, while the task
 * continues.
 */
final class ShardWriting extends AsyncSnapshotCallable<SnapshotResult<KeyedStateHandle>> {
  private final KeyGroupRange keyGroups;
  private final CheckpointStreamFactory streams;
  private final Consumer<Snapshot> whenDone;
  private Snapshot state;

  /**
   * Prepares to write.
   *
   * @param state a copy that does not change meanwhile
   * @param whenDone takes the copy when it is needed no longer
   */
  ShardWriting(
      Snapshot state,
      KeyGroupRange keyGroups,
      CheckpointStreamFactory streams,
      Consumer<Snapshot> whenDone) {
    this.state = state;
    this.whenDone = whenDone;
    this.keyGroups = keyGroups;
    this.streams = streams;
  }

  @Override
  protected SnapshotResult<KeyedStateHandle> callInternal() throws IOException {
    CheckpointStateOutputStream out =
        streams.createCheckpointStateOutputStream(CheckpointedStateScope.EXCLUSIVE);
    snapshotCloseableRegistry.registerCloseable(out); // closed if the checkpoint is canceled
    long[] offsets = new long[keyGroups.getNumberOfKeyGroups()];
    int at = 0;
    for (int keyGroup : keyGroups) {
      offsets[at++] = out.getPos();
      state.shard(keyGroup).write(out);
    }
    if (!snapshotCloseableRegistry.unregisterCloseable(out)) {
      throw new IOException("the stream of the checkpoint was closed by another thread");
    }
    StreamStateHandle handle = out.closeAndGetHandle();
    return handle == null
        ? SnapshotResult.empty()
        : SnapshotResult.of(
            new KeyGroupsStateHandle(new KeyGroupRangeOffsets(keyGroups, offsets), handle));
  }

  @Override
  protected void cleanupProvidedResources() {
    whenDone.accept(state);
    state = null;
  }
}
