package dev.unseen.kafka;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/** The command in a process of its own, as the launcher starts it. */
final class CommandProcess {
  /** Names a file: the clock of the process stands still, until the file exists a day later. */
  private static final String NEXT_DAY = "unseen.test.next.day";

  private CommandProcess() {}

  static Process start(File err, String... args) throws IOException {
    return start(err, List.of(), args);
  }

  /**
   * Starts the command with a clock that stands still and jumps ahead by a day when the file
   * exists, so that its patience with brokers ends when the test wants it to.
   */
  static Process startWithClock(File err, Path nextDay, String... args) throws IOException {
    return start(err, List.of("-D%s=%s".formatted(NEXT_DAY, nextDay)), args);
  }

  private static Process start(File err, List<String> properties, String... args)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path"))));
    command.addAll(properties);
    command.add(CommandProcess.class.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(err).start();
  }

  /**
   * Returns what the command has printed, without what a slow broker may add: that it does not
   * answer yet, that it answers again, and that a transaction was aborted because it took too long.
   */
  static String withoutWaits(String err) {
    return err.lines()
        .filter(line -> !line.matches("unseen: \\S+ does not answer .*; trying again for .*"))
        .filter(line -> !line.matches("unseen: \\S+ answers again"))
        .filter(line -> !line.startsWith("unseen: a transaction took too long"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  public static void main(String[] args) {
    String nextDay = System.getProperty(NEXT_DAY);
    ToolProvider tool =
        nextDay == null
            ? ToolProvider.findFirst("unseen-kafka").orElseThrow()
            : new UnseenKafka(() -> nanoTime(Path.of(nextDay)));
    System.exit(
        tool.run(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8),
            args));
  }

  private static long nanoTime(Path nextDay) {
    return Files.exists(nextDay) ? Duration.ofDays(1).toNanos() : 0;
  }
}
