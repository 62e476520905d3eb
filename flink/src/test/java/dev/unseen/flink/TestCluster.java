package dev.unseen.flink;

import dev.unseen.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A Flink cluster in this process, with two TaskManagers, and the settings of jobs on it. */
final class TestCluster {
  private static final Map<String, Queue<Object>> COLLECTED = new ConcurrentHashMap<>();

  private final MiniCluster cluster;

  private TestCluster(MiniCluster cluster) {
    this.cluster = cluster;
  }

  /** Returns the cluster that all tests of this process share. */
  static TestCluster shared() {
    return Shared.CLUSTER;
  }

  private static final class Shared {
    static final TestCluster CLUSTER = start();

    private static TestCluster start() {
      try {
        return TestCluster.start();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static TestCluster start() throws Exception {
    return start(new Configuration());
  }

  static TestCluster start(Configuration more) throws Exception {
    Configuration config = new Configuration(more);
    config.set(RestOptions.BIND_PORT, "0");
    config.setString("pekko.ask.timeout", Patience.LIMIT.toSeconds() + " s");
    config.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
    config.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(32));
    config.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(32));
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(2)
                .setNumSlotsPerTaskManager(2)
                .setConfiguration(config)
                .build());
    cluster.start();
    return new TestCluster(cluster);
  }

  /**
   * Returns settings with checkpoints in a directory, every 100 ms, and restarts without a wait.
   */
  static Configuration settings(Path directory) {
    Configuration config = new Configuration();
    config.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    config.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.resolve("checkpoints").toUri() + "");
    config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
    config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 20);
    config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    return config;
  }

  static Configuration from(Configuration config, String savepoint) {
    Configuration more = new Configuration(config);
    more.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    return more;
  }

  static StreamExecutionEnvironment environment(Configuration config, int parallelism) {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
    env.setParallelism(parallelism);
    return env;
  }

  JobID submit(StreamExecutionEnvironment env) throws Exception {
    JobGraph graph = env.getStreamGraph().getJobGraph();
    cluster.submitJob(graph).get();
    return graph.getJobID();
  }

  /** Runs a job to its end, and fails if it failed. */
  void run(StreamExecutionEnvironment env) throws Exception {
    JobResult result = result(submit(env)).get();
    if (result.getSerializedThrowable().isPresent()) {
      throw new IllegalStateException(
          result
              .getSerializedThrowable()
              .get()
              .deserializeError(TestCluster.class.getClassLoader()));
    }
  }

  /** Runs a job to its end, and returns the records of a stream in the order of its one task. */
  <T> List<T> collect(DataStream<T> stream) throws Exception {
    String id = UUID.randomUUID().toString();
    COLLECTED.put(id, new ConcurrentLinkedQueue<>());
    stream.map(new Collecting<T>(id)).returns(stream.getType()).sinkTo(new DiscardingSink<>());
    run(stream.getExecutionEnvironment());
    @SuppressWarnings("unchecked") // only this stream was collected there
    List<T> records = (List<T>) List.copyOf(COLLECTED.remove(id));
    return records;
  }

  private static final class Collecting<T> implements MapFunction<T, T> {
    private static final long serialVersionUID = 1;

    private final String id;

    Collecting(String id) {
      this.id = id;
    }

    @Override
    public T map(T record) {
      COLLECTED.get(id).add(record);
      return record;
    }
  }

  CompletableFuture<JobResult> result(JobID job) {
    return cluster.requestJobResult(job);
  }

  /** Waits for a number of checkpoints. */
  void awaitCheckpoints(JobID job, long count) {
    Patience.await("%d checkpoints".formatted(count))
        .failFast("the job has ended", () -> cluster.getJobStatus(job).get().isTerminalState())
        .until(() -> completed(job) >= count);
  }

  /** Waits until some tasks of an operator have finished and others have not. */
  void awaitSomeFinished(JobID job) {
    Patience.await("some tasks to finish")
        .until(
            () -> {
              for (var operator : cluster.getExecutionGraph(job).get().getVerticesTopologically()) {
                int finished = 0;
                for (var task : operator.getTaskVertices()) {
                  finished += task.getExecutionState() == ExecutionState.FINISHED ? 1 : 0;
                }
                if (finished > 0 && finished < operator.getTaskVertices().length) {
                  return true;
                }
              }
              return false;
            });
  }

  long completed(JobID job) throws Exception {
    var stats = cluster.getExecutionGraph(job).get().getCheckpointStatsSnapshot();
    return stats == null ? 0 : stats.getCounts().getNumberOfCompletedCheckpoints();
  }

  String savepoint(JobID job, Path directory) throws Exception {
    return cluster
        .triggerSavepoint(job, directory.toUri().toString(), false, SavepointFormatType.CANONICAL)
        .get();
  }

  String stopJob(JobID job, Path directory, SavepointFormatType format) throws Exception {
    return cluster.stopWithSavepoint(job, directory.toUri().toString(), false, format).get();
  }

  /** Cancels a job, and returns its last checkpoint, which is retained if it was asked for. */
  String cancel(JobID job) throws Exception {
    cluster.cancelJob(job).get();
    Patience.await("the job to be canceled")
        .until(() -> cluster.getJobStatus(job).get() == JobStatus.CANCELED);
    return cluster
        .getExecutionGraph(job)
        .get()
        .getCheckpointStatsSnapshot()
        .getHistory()
        .getLatestCompletedCheckpoint()
        .getExternalPath();
  }

  void stop() throws Exception {
    cluster.close();
  }
}
