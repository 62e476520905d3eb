package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures at random points: the output is what the library lets through, record by record. */
class FailureTest {
  private static TestCluster cluster;
  private static List<Long> undisturbed;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
    undisturbed = NumberedJob.expected();
    assertThat(undisturbed).hasSizeBetween(40_000, 75_000);
  }

  @ParameterizedTest
  @CsvSource({
    "1, false, false, hashmap",
    "2, true, false, hashmap",
    "3, false, true, hashmap",
    "4, true, true, rocksdb",
  })
  void output_equals_that_of_the_library(
      long seed, boolean unaligned, boolean changelog, String backend) throws Exception {
    Configuration config = TestCluster.settings(directory);
    config.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
    config.set(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG, changelog);
    config.setString("state.backend.type", backend);
    runWithFailures(seed, config, NumberedJob.deduplication(), undisturbed);
  }

  @ParameterizedTest
  @Tag("both-versions")
  @CsvSource({"5, false", "6, true"})
  void with_a_window_of_event_time_too(long seed, boolean unaligned) throws Exception {
    Configuration config = TestCluster.settings(directory);
    config.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
    List<Long> expected = NumberedJob.expectedWindowed();
    assertThat(expected).as("the window forgets on time").hasSizeBetween(60_000, 70_000);
    runWithFailures(seed, config, NumberedJob.windowed(), expected);
  }

  private void runWithFailures(
      long seed,
      Configuration config,
      UnseenDeduplication<Tuple2<String, Long>, String> deduplication,
      List<Long> expected)
      throws Exception {
    List<Long> failures = new Random(seed).longs(3, 1, expected.size()).sorted().boxed().toList();
    NumberedJob job = new NumberedJob(directory).slowed(100).failing(failures);
    StreamExecutionEnvironment env = TestCluster.environment(config, 2);
    job.build(env, deduplication);
    cluster.run(env);
    assertThat(job.hasFailedAlways()).as("all three failures happened").isTrue();
    assertThat(job.numbers()).isEqualTo(expected);
  }
}
