package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The parallelism goes up and down: shards move, and each record gets the verdict of the library.
 */
class RescaleTest {
  private static TestCluster cluster;
  private static List<Long> undisturbed;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
    undisturbed = NumberedJob.expected();
  }

  private JobID submit(Configuration config, int parallelism, int pauseEvery) throws Exception {
    StreamExecutionEnvironment env = TestCluster.environment(config, parallelism);
    new NumberedJob(directory).toBeStopped(pauseEvery).build(env);
    return cluster.submit(env);
  }

  private void finish(Configuration config, int parallelism) throws Exception {
    StreamExecutionEnvironment env = TestCluster.environment(config, parallelism);
    NumberedJob job = new NumberedJob(directory);
    job.build(env);
    cluster.run(env);
    assertThat(job.numbers()).isEqualTo(undisturbed);
  }

  private String stopAfterSome(JobID job, SavepointFormatType format) throws Exception {
    cluster.awaitCheckpoints(job, 2);
    return cluster.stopJob(job, directory.resolve("savepoints"), format);
  }

  @Test
  @Tag("both-versions")
  void savepoints_of_both_formats_move_from_one_task_to_two_and_three() throws Exception {
    Configuration config = TestCluster.settings(directory);
    String one = stopAfterSome(submit(config, 1, 20), SavepointFormatType.CANONICAL);
    String two =
        stopAfterSome(submit(TestCluster.from(config, one), 2, 20), SavepointFormatType.NATIVE);
    finish(TestCluster.from(config, two), 3);
  }

  @Test
  void checkpoints_move_from_three_tasks_to_two_and_one() throws Exception {
    Configuration config = TestCluster.settings(directory);
    config.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    config.set(CheckpointingOptions.ENABLE_UNALIGNED, true);
    JobID three = submit(config, 3, 20);
    cluster.awaitCheckpoints(three, 2);
    JobID two = submit(TestCluster.from(config, cluster.cancel(three)), 2, 20);
    cluster.awaitCheckpoints(two, 2);
    finish(TestCluster.from(config, cluster.cancel(two)), 1);
  }
}
