package dev.unseen.server.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The memory of this process, as the system counts it. */
public final class ProcessMemory {
  private ProcessMemory() {}

  /** Returns the resident memory in bytes; empty on a system that does not report it in /proc. */
  public static OptionalLong residentBytes() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status"), US_ASCII).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
