package dev.unseen.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.testing.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A job in a process with another version of Flink: it is stopped with a savepoint, and resumes
 * from it with another parallelism. The classes are those that were compiled with the newest
 * version.
 */
final class VersionProcess {
  /** Has a directory for each earlier version of Flink, with its jars. */
  private static final Path VERSIONS = Path.of("target", "flink-versions");

  private final String version;

  VersionProcess(String version) {
    this.version = version;
  }

  /** Returns the earlier versions of Flink that processes can be started with. */
  static Stream<String> versions() throws IOException {
    try (Stream<Path> directories = Files.list(VERSIONS)) {
      return directories.map(path -> path.getFileName().toString()).sorted().toList().stream();
    }
  }

  /**
   * Runs the process to its end.
   *
   * @return the version of Flink, the savepoint, and the numbers that came out before it
   */
  List<String> run(Path directory) throws Exception {
    Path log = directory.resolve("process.log");
    Process process = new ProcessBuilder(command(directory)).redirectError(log.toFile()).start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    if (Patience.exitCode(process) != 0) {
      throw new IllegalStateException(Files.readString(log));
    }
    return lines;
  }

  private List<String> command(Path directory) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"));
    command.addAll(List.of("-cp", classpath(), VersionProcess.class.getName()));
    command.add(directory.toString());
    return command;
  }

  /** Returns the class path of this process with Flink replaced. */
  private String classpath() throws IOException {
    List<String> entries = new ArrayList<>();
    try (Stream<Path> jars = Files.list(VERSIONS.resolve(version))) {
      jars.forEach(jar -> entries.add(jar.toAbsolutePath().toString()));
    }
    String ours =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Arrays.stream(ours.split(File.pathSeparator))
        .filter(entry -> !new File(entry).getName().startsWith("flink-"))
        .forEach(entries::add);
    return String.join(File.pathSeparator, entries);
  }

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    Configuration config = TestCluster.settings(directory);
    TestCluster cluster = TestCluster.start();
    NumberedJob job = new NumberedJob(directory).toBeStopped(10).heldHere();
    StreamExecutionEnvironment first = TestCluster.environment(config, 2);
    job.build(first);
    JobID id = cluster.submit(first);
    cluster.awaitCheckpoints(id, 2);
    String savepoint =
        cluster.stopJob(id, directory.resolve("savepoints"), SavepointFormatType.CANONICAL);
    List<Long> before = job.numbers();
    resume(cluster, TestCluster.from(config, savepoint), directory, before);
    cluster.stop();
    System.out.println(EnvironmentInformation.getVersion());
    System.out.println(savepoint);
    before.forEach(System.out::println);
    System.exit(0);
  }

  /** Runs the job from a savepoint to its end, and requires that nothing is missing or repeated. */
  static void resume(TestCluster cluster, Configuration from, Path directory, List<Long> before)
      throws Exception {
    NumberedJob job = new NumberedJob(directory).heldHere();
    StreamExecutionEnvironment env = TestCluster.environment(from, 3);
    job.build(env);
    cluster.run(env);
    List<Long> all = Stream.concat(before.stream(), job.numbers().stream()).sorted().toList();
    if (!all.equals(NumberedJob.expected())) {
      throw new IllegalStateException(
          "%d records came out, expected %d".formatted(all.size(), NumberedJob.expected().size()));
    }
  }
}
