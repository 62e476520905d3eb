package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Gate;
import dev.unseen.KeyForm;
import dev.unseen.Memory;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.StateFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state moves from the library or the shell to Flink, and back. */
class StateMovesTest {
  private static final TestCluster cluster = TestCluster.shared();

  @TempDir Path directory;

  /** Returns a filter in shards that has seen the even ones of the first thousand records. */
  private static Gate libraryGate() {
    Gate gate =
        Gate.builder()
            .memory(Memory.MiB(1))
            .concurrent()
            .keyForm(new KeyForm("bytes", "'id'"))
            .build();
    for (long number = 0; number < 1000; number += 2) {
      gate.admit(gate.hash().hash(NumberedJob.keyOf(number)));
    }
    return gate;
  }

  @Test
  @Tag("both-versions")
  void a_state_of_the_library_goes_to_flink_and_back() throws Exception {
    Gate before = libraryGate();
    Path file = directory.resolve("s.uns");
    before.save(file, Map.of("from", "library"));
    Configuration config = TestCluster.settings(directory);
    NumberedJob job = new NumberedJob(directory).toBeStopped(10);
    StreamExecutionEnvironment env = TestCluster.environment(config, 2);
    job.build(env, NumberedJob.keys().uid("once").initialState(file.toUri()));
    JobID running = cluster.submit(env);
    cluster.awaitCheckpoints(running, 2);
    String savepoint =
        cluster.stopJob(running, directory.resolve("savepoints"), SavepointFormatType.CANONICAL);

    List<Long> out = job.numbers();
    assertThat(out).isNotEmpty().noneMatch(number -> number < 1000 && number % 2 == 0);

    Path back = directory.resolve("back.uns");
    UnseenSavepoint.export(savepoint, "once", back);
    Snapshot state = StateFile.check(back);
    assertThat(state.heldShards()).hasSize(128);
    assertThat(state.metadata()).containsEntry("from", "library");
    Gate gate = Gate.builder().keyForm(new KeyForm("bytes", "'id'")).load(back);
    assertThat(gate.admitted()).isEqualTo(before.admitted() + out.size());
    for (long number : out) {
      assertThat(gate.mightContain(gate.hash().hash(NumberedJob.keyOf(number)))).isTrue();
    }
  }

  @Test
  void a_job_that_starts_from_a_savepoint_takes_its_secret_from_there() throws Exception {
    Configuration config = TestCluster.settings(directory);
    StreamExecutionEnvironment env = TestCluster.environment(config, 2);
    new NumberedJob(directory).toBeStopped(10).build(env, NumberedJob.keys().memory(Memory.MiB(1)));
    JobID first = cluster.submit(env);
    cluster.awaitCheckpoints(first, 2);
    String savepoint =
        cluster.stopJob(first, directory.resolve("savepoints"), SavepointFormatType.NATIVE);
    StreamExecutionEnvironment again =
        TestCluster.environment(TestCluster.from(config, savepoint), 3);
    NumberedJob job = new NumberedJob(directory);
    job.build(again, NumberedJob.keys().memory(Memory.MiB(1)));
    cluster.run(again);
    assertThat(job.numbers().stream().map(NumberedJob::keyOf)).doesNotHaveDuplicates();
  }

  @Test
  void a_savepoint_without_the_deduplication_is_rejected() throws Exception {
    Configuration config = TestCluster.settings(directory);
    StreamExecutionEnvironment env = TestCluster.environment(config, 1);
    new NumberedJob(directory).toBeStopped(10).build(env);
    JobID job = cluster.submit(env);
    cluster.awaitCheckpoints(job, 1);
    String savepoint =
        cluster.stopJob(job, directory.resolve("savepoints"), SavepointFormatType.CANONICAL);
    assertThatThrownBy(() -> UnseenSavepoint.read(savepoint, "twice"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'twice'");
  }
}
