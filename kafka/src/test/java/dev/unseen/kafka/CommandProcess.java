package dev.unseen.kafka;

import java.io.File;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/** The command in a process of its own, as the launcher starts it. */
final class CommandProcess {
  private CommandProcess() {}

  static Process start(File err, String... args) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                CommandProcess.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(err).start();
  }

  public static void main(String[] args) {
    System.exit(
        ToolProvider.findFirst("unseen-kafka")
            .orElseThrow()
            .run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                args));
  }
}
