package dev.unseen.flink;

import dev.unseen.Gate;
import dev.unseen.Report;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.text.Print;
import java.util.Locale;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.runtime.state.CheckpointStorageAccess;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.memory.MemoryBackendCheckpointStorageAccess;

/**
 * Checks what only a task knows: the number of key groups, the size of its heap, and where its
 * checkpoints are stored. The program that submits a job knows neither the settings of the cluster
 * nor the parallelism that the operator is given later.
 */
final class TaskChecks {
  private final TaskInfo task;
  private final HeapRegions regions;

  TaskChecks(TaskInfo task) {
    this(task, HeapRegions.PROCESS);
  }

  TaskChecks(TaskInfo task, HeapRegions regions) {
    this.task = task;
    this.regions = regions;
  }

  /** Rejects a number of key groups that is not the number of shards. */
  void keyGroups() {
    int groups = task.getMaxNumberOfParallelSubtasks();
    if (groups != KeyGroups.COUNT) {
      throw rejected(otherKeyGroups(task.getTaskName(), groups));
    }
  }

  /** Returns the message for a number of key groups that is not the number of shards. */
  static String otherKeyGroups(String name, int groups) {
    return "the max parallelism of %s is %d, and must be %d, the number of shards of every filter; do not call setMaxParallelism on what applyTo returns. That of the job can be any"
        .formatted(name, groups, KeyGroups.COUNT);
  }

  /**
   * Rejects a heap that cannot hold the shards, their copy, from which a checkpoint is written, and
   * the filters that they replace. Returns how much they take together.
   *
   * @param spec of the filter
   * @param before the state that it continues from; null: none
   */
  long heap(FilterSpec spec, Snapshot before, long heapBytes) {
    long bytes =
        KeyGroups.ofTask(task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask())
                .getNumberOfKeyGroups()
            * regions.heapOf(ShardedFilter.shardBytes(spec));
    long replaced = before == null ? 0 : replacedBytes(before, spec);
    if (heapBytes < 2 * bytes + replaced) {
      throw rejected(
          "each task of %s takes %s for its part of the filter, as much again for the copy that a checkpoint is written from%s; the heap of this TaskManager is %s. Raise taskmanager.memory.task.heap.size (-Xmx for a job in one process), raise the parallelism over more TaskManagers, or ask for less memory(...)%s"
              .formatted(
                  task.getTaskName(),
                  Print.bytes(bytes),
                  replaced == 0
                      ? ""
                      : ", and %s for the filter that it replaces".formatted(Print.bytes(replaced)),
                  Print.bytes(heapBytes),
                  regions.remark(ShardedFilter.shardBytes(spec))));
    }
    return 2 * bytes + replaced;
  }

  /** Returns the heap of the filters that a filter of this spec replaces in this task. */
  private long replacedBytes(Snapshot before, FilterSpec spec) {
    long earlier = before.predecessors().stream().mapToLong(this::heapOf).sum();
    return earlier + (before.spec().equals(spec) ? 0 : heapOf(before));
  }

  private long heapOf(Snapshot state) {
    return state.heldShards().size() * regions.heapOf(ShardedFilter.shardBytes(state.spec()));
  }

  /** Rejects checkpoint storage on the JobManager's heap if it is too small. */
  void storage(Gate gate, CheckpointStreamFactory streams, CheckpointStorageAccess storage) {
    if (streams instanceof MemCheckpointStreamFactory
        && storage instanceof MemoryBackendCheckpointStorageAccess heap) {
      Report report = gate.report();
      long bytes = report.memoryBytes() + report.predecessorBytes();
      if (bytes > heap.getMaxStateSize()) {
        throw rejected(
            String.format(
                Locale.ROOT,
                "each task writes %s in a checkpoint, and checkpoints go to the heap of the JobManager, which takes at most %,d bytes of a task; set %s to a directory that all machines can write, such as s3://bucket/checkpoints or file:///shared/checkpoints",
                Print.bytes(bytes),
                heap.getMaxStateSize(),
                CheckpointingOptions.CHECKPOINTS_DIRECTORY.key()));
      }
    }
  }

  private static JobRejectedException rejected(String reason) {
    return new JobRejectedException(reason, null);
  }
}
