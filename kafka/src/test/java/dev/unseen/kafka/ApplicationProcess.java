package dev.unseen.kafka;

import dev.unseen.Memory;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;

/** An instance of an application in a process of its own, which tests kill. */
final class ApplicationProcess {
  private ApplicationProcess() {}

  static Process start(
      String address, String application, Path state, String from, String to, String snapshots)
      throws Exception {
    return start(address, application, state, from, to, snapshots, StreamsConfig.EXACTLY_ONCE_V2);
  }

  /**
   * Starts a process.
   *
   * @param options more options of Java
   */
  static Process start(
      String address,
      String application,
      Path state,
      String from,
      String to,
      String snapshots,
      String guarantee,
      String... options)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(ApplicationProcess.class.getName());
    command.addAll(List.of(address, application, state.toString(), from, to, snapshots, guarantee));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .redirectOutput(new File("/dev/null"))
        .start();
  }

  public static void main(String[] args) throws Exception {
    try (TestApplication application =
        TestApplication.start(
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
                    Halt.class.getName())))) {
      System.err.println(application.failure());
    }
  }

  static TopicDeduplication<byte[], byte[]> deduplication(String snapshots) {
    TopicDeduplication<byte[], byte[]> deduplication = TestApplication.byKey(Memory.MiB(4));
    return snapshots.isEmpty()
        ? deduplication
        : deduplication.snapshotEvery(Duration.parse(snapshots));
  }
}
