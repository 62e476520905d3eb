package dev.unseen.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine on which it was measured. */
final class Machine {
  private Machine() {}

  /** Describes this machine, with the Java that runs the contestants. */
  static String describe(Java java) {
    return "%s, %d processors, %s %s, %s"
        .formatted(
            linux("cpuinfo", "model name").orElse("unknown processor"),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            java.version());
  }

  /**
   * Returns the number of bytes of memory that processes can use now without pushing others out.
   */
  static long freeBytes() {
    return linux("meminfo", "MemAvailable")
        .map(Machine::bytes)
        .orElseGet(
            () ->
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                    .getFreeMemorySize());
  }

  /** Returns the memory of a process as the system counts it, in bytes. */
  static long residentBytes(Process process) throws IOException {
    return linux(process.pid() + "/status", "VmRSS")
        .map(Machine::bytes)
        .orElseThrow(() -> new IOException("the resident memory is not known; this needs Linux"));
  }

  private static long bytes(String kibibytes) {
    return Long.parseLong(kibibytes.replaceAll("\\D", "")) << 10;
  }

  /** Returns a value from a file of Linux, if it exists. */
  private static Optional<String> linux(String file, String name) {
    try (Stream<String> lines = Files.lines(Path.of("/proc", file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
