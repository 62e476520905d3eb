package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.snapshot.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A savepoint that is kept, to be restored by all later versions. The oldest Flink wrote it:
 *
 * <pre>
 * mvn -pl flink/1.20 -am test -Dtest=SavepointFixtureTest -Dfixtures.write=true -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class SavepointFixtureTest {
  private static final Path FIXTURE = Path.of("src/test/resources/savepoint-v1");

  @TempDir Path directory;

  @Test
  @Tag("both-versions")
  void a_savepoint_of_the_first_version_is_restored() throws Exception {
    TestCluster cluster = TestCluster.shared();
    if (Boolean.getBoolean("fixtures.write")) {
      write(cluster);
    }
    String savepoint = fixture().toUri().toString();
    Snapshot state = UnseenSavepoint.read(savepoint, "once");
    assertThat(state.records()).isBetween(1000L, NumberedJob.RECORDS - 1000);
    List<Long> expected =
        NumberedJob.expected().stream().filter(number -> number >= state.records()).toList();
    NumberedJob job = new NumberedJob(directory).heldHere();
    Configuration config = TestCluster.from(TestCluster.settings(directory), savepoint);
    StreamExecutionEnvironment env = TestCluster.environment(config, 3);
    job.build(env);
    cluster.run(env);
    assertThat(job.numbers()).isEqualTo(expected);
  }

  /** Both builds share one fixture. */
  private static Path fixture() {
    Path here = FIXTURE.toAbsolutePath();
    return Files.exists(here) ? here : Path.of("..").resolve(FIXTURE).toAbsolutePath().normalize();
  }

  private void write(TestCluster cluster) throws Exception {
    StreamExecutionEnvironment env = TestCluster.environment(TestCluster.settings(directory), 2);
    new NumberedJob(directory).toBeStopped(20).heldHere().build(env);
    JobID job = cluster.submit(env);
    cluster.awaitCheckpoints(job, 3);
    Path written =
        Path.of(
            java.net.URI.create(cluster.stopJob(job, directory, SavepointFormatType.CANONICAL)));
    Path to = Path.of("..").resolve(FIXTURE).toAbsolutePath().normalize();
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(written)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
