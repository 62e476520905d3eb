package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.FreePort;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session cluster of real processes, of which one TaskManager is killed with kill -9. */
class SessionClusterTest {
  private final List<Process> processes = new ArrayList<>();

  @TempDir Path directory;

  @AfterEach
  void end_processes() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void a_killed_task_manager_changes_nothing_in_the_output() throws Exception {
    int rest = FreePort.find();
    configure(rest, FreePort.find());
    launch(StandaloneSessionClusterEntrypoint.class, "jobmanager");
    Process killed = launch(TaskManagerRunner.class, "taskmanager-1");
    launch(TaskManagerRunner.class, "taskmanager-2");

    Configuration config = TestCluster.settings(directory);
    config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(300));
    config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1000);
    NumberedJob job = new NumberedJob(directory).slowed(20);
    awaitRest(rest);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createRemoteEnvironment("localhost", rest, config);
    env.setParallelism(2); // a task for each TaskManager, which has one slot
    job.build(env);
    JobClient client = env.executeAsync("numbered");
    Patience.await("output, so that there is a checkpoint to go back to")
        .failFast(() -> assertThat(processes).allMatch(Process::isAlive))
        .until(this::hasOutput);
    assertThat(client.getJobStatus().get().isTerminalState()).isFalse();
    killed.destroyForcibly().waitFor(); // SIGKILL
    launch(TaskManagerRunner.class, "taskmanager-3");
    client.getJobExecutionResult().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(job.numbers()).isEqualTo(NumberedJob.expected());
  }

  private boolean hasOutput() throws IOException {
    Path out = directory.resolve("out");
    if (!Files.exists(out)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(out)) {
      return files.anyMatch(
          file -> Files.isRegularFile(file) && file.getFileName().toString().startsWith("part"));
    }
  }

  private void configure(int restPort, int rpcPort) throws IOException {
    Files.createDirectories(directory.resolve("conf"));
    Files.writeString(
        directory.resolve("conf/config.yaml"),
        """
        jobmanager.rpc.address: localhost
        jobmanager.rpc.port: %d
        rest.address: localhost
        rest.port: %d
        heartbeat.interval: 500
        heartbeat.timeout: 10000
        taskmanager.host: localhost
        taskmanager.numberOfTaskSlots: 1
        taskmanager.cpu.cores: 1
        taskmanager.memory.framework.heap.size: 128m
        taskmanager.memory.framework.off-heap.size: 128m
        taskmanager.memory.jvm-metaspace.size: 128m
        taskmanager.memory.jvm-overhead.min: 64m
        taskmanager.memory.jvm-overhead.max: 64m
        taskmanager.memory.task.heap.size: 128m
        taskmanager.memory.task.off-heap.size: 0m
        taskmanager.memory.network.min: 16m
        taskmanager.memory.network.max: 16m
        taskmanager.memory.managed.size: 16m
        """
            .formatted(rpcPort, restPort));
  }

  private Process launch(Class<?> main, String name) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName(),
                "--configDir",
                directory.resolve("conf").toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".log").toFile())
            .start();
    processes.add(process);
    return process;
  }

  private void awaitRest(int port) {
    Patience.await("the JobManager to listen")
        .failFast(() -> assertThat(processes).allMatch(Process::isAlive))
        .ignoreException(ConnectException.class)
        .untilAsserted(() -> new Socket("localhost", port).close());
  }
}
