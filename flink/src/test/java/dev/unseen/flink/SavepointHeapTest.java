package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Memory;
import dev.unseen.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Savepoints during checkpoints need no third copy of the filter. */
class SavepointHeapTest {
  private static final long FILTER = Memory.MiB(256);

  @TempDir Path directory;

  @Test
  void savepoints_during_checkpoints_fit_into_a_heap_of_2_2_times_the_memory() throws Exception {
    Path log = directory.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + FILTER * 22 / 10,
                "-Xmn24m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Job.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(4 * Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(() -> read(log)).isZero();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException e) {
      return e.toString();
    }
  }

  /** Runs a job with checkpoints without a pause, and takes savepoints. A failure ends it. */
  static final class Job {
    private Job() {}

    public static void main(String[] args) {
      try {
        run(Path.of(args[0]));
        Runtime.getRuntime().halt(0); // without waiting for the cluster to end
      } catch (Throwable e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    }

    private static void run(Path directory) throws Exception {
      TestCluster cluster = TestCluster.start();
      Configuration config = TestCluster.settings(directory);
      config.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
      StreamExecutionEnvironment env = TestCluster.environment(config, 1);
      new NumberedJob(directory)
          .crawlingFrom(0)
          .heldHere()
          .build(env, NumberedJob.keys().memory(FILTER));
      JobID job = cluster.submit(env);
      cluster.awaitCheckpoints(job, 1);
      for (int i = 0; i < 2; i++) {
        cluster.savepoint(job, directory.resolve("savepoints"));
      }
      cluster.cancel(job);
    }
  }
}
