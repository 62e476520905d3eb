package dev.unseen.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where it was measured.
 *
 * @param processor its name, if Linux tells
 */
record Machine(String processor, int processors, String java, String system) {
  /** This one. */
  static Machine here() {
    return new Machine(
        nameOfProcessor(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"));
  }

  private static String nameOfProcessor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown processor");
    } catch (IOException e) {
      return "unknown processor";
    }
  }

  /** In one line. */
  String describe() {
    return "%s, %d processors, %s, %s".formatted(processor, processors, system, java);
  }
}
