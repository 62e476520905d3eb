package dev.unseen.kafka;

import dev.unseen.Memory;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** An instance of an application in a process of its own, which tests kill. */
final class ApplicationProcess {
  private ApplicationProcess() {}

  static Process start(
      String address, String application, Path state, String from, String to, String snapshots)
      throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            ApplicationProcess.class.getName(),
            address,
            application,
            state.toString(),
            from,
            to,
            snapshots)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .redirectOutput(new File("/dev/null"))
        .start();
  }

  public static void main(String[] args) throws Exception {
    try (TestApplication application =
        TestApplication.start(
            TestApplication.once(args[3], args[4], deduplication(args[5])),
            TestApplication.config(args[0], args[1], Path.of(args[2]), Map.of()))) {
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
