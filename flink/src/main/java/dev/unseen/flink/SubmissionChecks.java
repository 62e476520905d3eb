package dev.unseen.flink;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.text.Print;
import java.util.Locale;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Finds mistakes in the program that submits a job, before anything runs. A cluster may have other
 * settings, so {@link TaskChecks} checks what is not certain here.
 */
final class SubmissionChecks {
  private final StreamExecutionEnvironment environment;
  private final ReadableConfig config;
  private final boolean local;

  SubmissionChecks(StreamExecutionEnvironment environment) {
    this.environment = environment;
    this.config = environment.getConfiguration();
    this.local = environment instanceof LocalStreamEnvironment;
  }

  void all(FilterSetup setup) {
    if (!setup.isKnown()) {
      return;
    }
    FilterSpec spec = setup.spec();
    long replaced = setup.replacedBytes();
    storage(taskBytes(spec) + taskShare(replaced));
    heap(spec, replaced);
  }

  /** Returns the bytes of the task with the most shards. */
  private long taskBytes(FilterSpec spec) {
    return taskShards() * ShardedFilter.shardBytes(spec);
  }

  /** Returns the share of that task in bytes of all shards. */
  private long taskShare(long bytes) {
    return bytes / KeyGroups.COUNT * taskShards();
  }

  private int taskShards() {
    int parallelism = Math.max(1, Math.min(environment.getParallelism(), KeyGroups.COUNT));
    return (KeyGroups.COUNT + parallelism - 1) / parallelism;
  }

  private void storage(long bytes) {
    int most = JobManagerCheckpointStorage.DEFAULT_MAX_STATE_SIZE;
    if (environment.getCheckpointConfig().isCheckpointingEnabled()
        && isOnJobManager()
        && bytes > most) {
      throw new IllegalArgumentException(storageTooSmall(bytes, most));
    }
  }

  private boolean isOnJobManager() {
    String storage = config.getOptional(CheckpointingOptions.CHECKPOINT_STORAGE).orElse("");
    if (!storage.isEmpty()) {
      return storage.equalsIgnoreCase("jobmanager");
    }
    return local && config.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY).isEmpty();
  }

  /** Returns the message for checkpoints that are stored on a heap which does not accept them. */
  static String storageTooSmall(long bytes, long most) {
    return String.format(
        Locale.ROOT,
        "each task writes %s in a checkpoint, and checkpoints go to the heap of the JobManager, which takes at most %,d bytes of a task; set %s to a directory that all machines can write, such as s3://bucket/checkpoints or file:///shared/checkpoints",
        Print.bytes(bytes),
        most,
        CheckpointingOptions.CHECKPOINTS_DIRECTORY.key());
  }

  private void heap(FilterSpec spec, long replaced) {
    if (local) {
      long shard = ShardedFilter.shardBytes(spec);
      requireHeap(
          2 * KeyGroups.COUNT * HeapRegions.PROCESS.heapOf(shard) + replaced,
          replaced,
          Runtime.getRuntime().maxMemory(),
          "Java's heap (-Xmx)",
          HeapRegions.PROCESS.remark(shard));
    }
    config
        .getOptional(TaskManagerOptions.TASK_HEAP_MEMORY)
        .map(MemorySize::getBytes)
        .ifPresent(
            heap ->
                requireHeap(
                    2 * taskBytes(spec) + taskShare(replaced),
                    taskShare(replaced),
                    heap,
                    TaskManagerOptions.TASK_HEAP_MEMORY.key(),
                    ""));
  }

  private static void requireHeap(
      long bytes, long replaced, long heap, String name, String remark) {
    if (heap < bytes) {
      throw new IllegalArgumentException(
          "the filter, the copy that a checkpoint is written from%s take %s of heap, and %s is %s; raise it, raise the parallelism over more TaskManagers, or ask for less memory(...)%s"
              .formatted(
                  andReplaced(replaced), Print.bytes(bytes), name, Print.bytes(heap), remark));
    }
  }

  /** Returns what a message adds for filters that are being replaced. */
  static String andReplaced(long bytes) {
    return bytes == 0
        ? ""
        : ", and %s for the filter that it replaces".formatted(Print.bytes(bytes));
  }
}
