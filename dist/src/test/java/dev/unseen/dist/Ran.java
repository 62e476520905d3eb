package dev.unseen.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.testing.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What came of a program that was run to its end. */
record Ran(int exitCode, String stdout, String stderr) {
  /** Returns a command with the Java of the tests, and nothing else of who runs them. */
  static ProcessBuilder command(Object... line) {
    List<String> words = new ArrayList<>();
    for (Object word : line) {
      words.add(word.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().keySet().removeIf(name -> name.startsWith("UNSEEN_"));
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "NO_COLOR", "MANPATH"));
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("UNSEEN_JAVA_OPTS", "-XX:TieredStopAtLevel=1"); // short runs
    builder.environment().put("UNSEEN_SECRET", "5eed5eed5eed5eed5eed5eed5eed5eed");
    return builder;
  }

  static Ran of(String stdin, Object... line) {
    return of(stdin, command(line));
  }

  static Ran of(String stdin, ProcessBuilder builder) {
    try {
      Path stdout = Files.createTempFile("unseen-", ".out");
      Path stderr = Files.createTempFile("unseen-", ".err");
      try {
        Process process =
            builder.redirectOutput(stdout.toFile()).redirectError(stderr.toFile()).start();
        try (OutputStream in = process.getOutputStream()) {
          in.write(stdin.getBytes(UTF_8));
        } catch (IOException e) {
          // It ended before it had read all, as a command that fails may.
        }
        int code = Patience.exitCode(process);
        return new Ran(code, Files.readString(stdout), Files.readString(stderr));
      } finally {
        Files.delete(stdout);
        Files.delete(stderr);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
