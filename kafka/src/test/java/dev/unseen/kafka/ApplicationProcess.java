package dev.unseen.kafka;

import dev.unseen.Memory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.streams.StreamsConfig;

/** Instances of one or more applications in a process of their own, which tests kill. */
final class ApplicationProcess {
  /** Has a directory for each earlier version of Kafka Streams, with its jars. */
  private static final Path VERSIONS = Path.of("target", "kafka-versions");

  private static final int ARGUMENTS = 7; // of an application

  private final List<String> arguments;
  private final List<ApplicationProcess> others = new ArrayList<>();
  private final List<String> javaOptions = new ArrayList<>();
  private String classpath =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  private String snapshots = "";
  private String guarantee = StreamsConfig.EXACTLY_ONCE_V2;

  ApplicationProcess(String address, String application, Path state, String from, String to) {
    arguments = List.of(address, application, state.toString(), from, to);
  }

  /** Sets how often filters are saved; empty: never. */
  ApplicationProcess snapshots(String interval) {
    this.snapshots = interval;
    return this;
  }

  ApplicationProcess atLeastOnce() {
    this.guarantee = StreamsConfig.AT_LEAST_ONCE;
    return this;
  }

  /** Runs another application in the same process. */
  ApplicationProcess with(ApplicationProcess other) {
    others.add(other);
    return this;
  }

  /** Ends the process when something has happened for the nth time. */
  ApplicationProcess haltAt(Halt.Point point, int after) {
    javaOptions.add("-Dhalt.at=" + point);
    javaOptions.add("-Dhalt.after=" + after);
    javaOptions.add("-Dhalt.applications=" + (1 + others.size()));
    return this;
  }

  /** Returns the earlier versions of Kafka Streams that processes can be started with. */
  static Stream<String> versions() throws IOException {
    try (Stream<Path> directories = Files.list(VERSIONS)) {
      return directories.map(path -> path.getFileName().toString()).sorted().toList().stream();
    }
  }

  /** Sets the version of Kafka Streams. The class path has the version that we compile with. */
  ApplicationProcess version(String version) {
    List<String> entries = new ArrayList<>();
    try (Stream<Path> jars = Files.list(VERSIONS.resolve(version))) {
      jars.forEach(jar -> entries.add(jar.toAbsolutePath().toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Arrays.stream(classpath.split(File.pathSeparator))
        .filter(entry -> !new File(entry).getName().startsWith("kafka"))
        .forEach(entries::add);
    classpath = String.join(File.pathSeparator, entries);
    return this;
  }

  Process start() throws IOException {
    return builder().redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Returns the process before it is started; its standard output is dropped. */
  ProcessBuilder builder() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.addAll(javaOptions);
    command.addAll(List.of("-cp", classpath, ApplicationProcess.class.getName()));
    command.addAll(allArguments());
    others.forEach(other -> command.addAll(other.allArguments()));
    return new ProcessBuilder(command).redirectOutput(new File("/dev/null"));
  }

  private List<String> allArguments() {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of(snapshots, guarantee));
    return all;
  }

  public static void main(String[] args) throws Exception {
    List<TestApplication> applications = new ArrayList<>();
    for (int i = 0; i < args.length; i += ARGUMENTS) {
      applications.add(start(Arrays.copyOfRange(args, i, i + ARGUMENTS)));
    }
    System.err.println(TestApplication.firstFailure(applications));
    applications.forEach(TestApplication::close);
  }

  private static TestApplication start(String[] args) {
    return TestApplication.start(
        TestApplication.once(args[3], args[4], deduplication(args[5])),
        TestApplication.config(
            args[0],
            args[1],
            Path.of(args[2]),
            Map.of(
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                args[6],
                "producer.interceptor.classes",
                Halt.class.getName(),
                "main.consumer.interceptor.classes",
                Halt.class.getName())));
  }

  static TopicDeduplication<byte[], byte[]> deduplication(String snapshots) {
    TopicDeduplication<byte[], byte[]> deduplication = TestApplication.byKey(Memory.MiB(4));
    return snapshots.isEmpty()
        ? deduplication
        : deduplication.snapshotEvery(Duration.parse(snapshots));
  }
}
