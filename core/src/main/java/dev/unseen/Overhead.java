package dev.unseen;

import dev.unseen.audit.Audit;
import dev.unseen.snapshot.Snapshot;

/**
 * The memory that a filter takes beside its storage, about: what a test measures with JOL. The
 * arrays of a batch and the objects of a filter are the same for any memory.
 */
final class Overhead {
  private static final long ONE_FILTER = 3_300;
  private static final long ONE_SHARD = 2_700;

  private Overhead() {}

  static long of(Snapshot state) {
    long filters = state.shards() == 1 ? ONE_FILTER : state.heldShards().size() * ONE_SHARD;
    return filters + state.audit().map(Audit::memoryBytes).orElse(0L);
  }
}
