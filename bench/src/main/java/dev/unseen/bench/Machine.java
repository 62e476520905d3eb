package dev.unseen.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine on which it was measured.
 *
 * @param processor the name of the processor, if Linux shows it
 */
record Machine(String processor, int processors, String java, String system) {
  /** Returns this machine, with the Java that runs the contestants. */
  static Machine here(Java java) {
    return new Machine(
        nameOfProcessor(),
        Runtime.getRuntime().availableProcessors(),
        java.version(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"));
  }

  /**
   * Returns the number of bytes of memory that processes can use now without pushing others out.
   */
  static long freeBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .map(line -> line.replaceAll("\\D", ""))
          .mapToLong(kibibytes -> Long.parseLong(kibibytes) << 10)
          .findFirst()
          .orElseGet(Machine::freeByJava);
    } catch (IOException e) {
      return freeByJava();
    }
  }

  private static long freeByJava() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getFreeMemorySize();
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

  String describe() {
    return "%s, %d processors, %s, %s".formatted(processor, processors, system, java);
  }
}
