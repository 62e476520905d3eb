package dev.unseen.flink;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.text.Print;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.runtime.state.CheckpointStorageAccess;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.memory.MemoryBackendCheckpointStorageAccess;

/**
 * Checks what only a task knows for certain: the number of key groups, the size of its heap, and
 * where its checkpoints are stored. {@link SubmissionChecks} finds the same mistakes earlier if it
 * can.
 */
final class TaskChecks {
  private final TaskInfo task;
  private final long bytes; // of the shards of this task

  TaskChecks(TaskInfo task, FilterSpec spec) {
    this.task = task;
    this.bytes =
        KeyGroups.ofTask(task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask())
                .getNumberOfKeyGroups()
            * ShardedFilter.shardBytes(spec);
  }

  /** Rejects a number of key groups that is not the number of shards. */
  void keyGroups() {
    int groups = task.getMaxNumberOfParallelSubtasks();
    if (groups != KeyGroups.COUNT) {
      throw refused(
          "the max parallelism of %s is %d, and must be %d, the number of shards of every filter; do not call setMaxParallelism on what applyTo returns"
              .formatted(task.getTaskName(), groups, KeyGroups.COUNT));
    }
  }

  /**
   * Rejects a heap that cannot hold the shards and their copy, from which a checkpoint is written.
   */
  void heap(long heapBytes) {
    if (heapBytes < 2 * bytes) {
      throw refused(
          "each task of %s takes %s for its part of the filter, and as much again for the copy that a checkpoint is written from; the heap of this TaskManager is %s. Raise taskmanager.memory.task.heap.size, raise the parallelism over more TaskManagers, or ask for less memory(...)"
              .formatted(task.getTaskName(), Print.bytes(bytes), Print.bytes(heapBytes)));
    }
  }

  /** Rejects checkpoint storage on the JobManager's heap if it is too small. */
  void storage(CheckpointStreamFactory streams, CheckpointStorageAccess storage) {
    if (streams instanceof MemCheckpointStreamFactory
        && storage instanceof MemoryBackendCheckpointStorageAccess heap
        && bytes > heap.getMaxStateSize()) {
      throw refused(SubmissionChecks.storageTooSmall(bytes, heap.getMaxStateSize()));
    }
  }

  private static JobRefusedException refused(String reason) {
    return new JobRefusedException(reason, null);
  }
}
