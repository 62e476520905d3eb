package dev.unseen.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The Java that runs the contestants.
 *
 * @param binary the path of its {@code java}
 * @param version its version, as it reports it
 */
record Java(Path binary, String version) {
  /** Returns the Java in a JDK's directory, or the {@code java} at this path. */
  static Java at(Path path) throws IOException {
    Path inside = path.resolve("bin").resolve("java");
    Path binary = Files.isRegularFile(inside) ? inside : path;
    if (!Files.isRegularFile(binary) || !Files.isExecutable(binary)) {
      throw new IOException("--java (" + path + ") must be a JDK's directory or its bin/java");
    }
    Process process =
        new ProcessBuilder(binary.toString(), "-XshowSettings:properties", "-version")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      Map<String, String> properties =
          lines
              .lines()
              .map(line -> line.split(" = ", 2))
              .filter(parts -> parts.length == 2)
              .collect(Collectors.toMap(p -> p[0].strip(), p -> p[1].strip(), (a, b) -> a));
      return new Java(
          binary, properties.get("java.vm.name") + " " + properties.get("java.runtime.version"));
    }
  }
}
