package dev.unseen;

import dev.unseen.audit.shadow.Audit;
import dev.unseen.snapshot.Snapshot;

/**
 * Estimates the memory that a filter takes in addition to its storage. A test compares it with what
 * JOL measures. The arrays of a batch and the objects of a filter have the same size for any
 * memory.
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
