package dev.unseen.flink;

import dev.unseen.Gate;
import dev.unseen.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The copy of a task's shards that a checkpoint is written from while the task continues. There is
 * one for all checkpoints: its memory is used again, since allocating it would block the task
 * several times as long, and two at a time would not fit into the heap. A savepoint during a
 * checkpoint therefore waits until the checkpoint is written.
 */
final class CheckpointCopy {
  private final BlockingQueue<Optional<Snapshot>> idle = new ArrayBlockingQueue<>(1);

  /** Creates a copy that takes its memory when it is used first. */
  CheckpointCopy() {
    idle.add(Optional.empty());
  }

  /**
   * Copies the state of a gate. Waits as long as an earlier copy is in use.
   *
   * @throws InterruptedException if the task is canceled meanwhile
   */
  Snapshot of(Gate gate) throws InterruptedException {
    return gate.copyState(idle.take().orElse(null));
  }

  /** Makes a copy that was written available again, without the filters that are not copied. */
  void release(Snapshot copy) {
    idle.add(Optional.of(copy.withPredecessors(List.of())));
  }
}
