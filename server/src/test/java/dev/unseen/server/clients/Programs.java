package dev.unseen.server.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Runs programs, and fetches clients of other languages, once, into target/clients. */
final class Programs {
  static final Path HOME = Path.of("target", "clients").toAbsolutePath();

  private Programs() {}

  /** Returns whether Node's clients are here, or could be fetched. */
  static synchronized boolean hasNode() throws IOException, InterruptedException {
    Files.createDirectories(HOME);
    return Files.exists(HOME.resolve("node_modules/ioredis/package.json"))
        || works(HOME, "npm", "install", "--no-audit", "--no-fund", "redis@6.3.1", "ioredis@6.0.0");
  }

  /**
   * Returns a Python that has redis-py, which is fetched if it is not here; null if it cannot be.
   */
  static synchronized String python() throws IOException, InterruptedException {
    Files.createDirectories(HOME);
    String python = HOME.resolve("python/bin/python3").toString();
    boolean there =
        works(HOME, python, "-c", "import redis")
            || (works(HOME, "python3", "-m", "venv", "python")
                && works(HOME, python, "-m", "pip", "install", "-q", "redis==8.1.0"));
    return there ? python : null;
  }

  /** Runs a program to its end. Returns its exit code and its output. */
  static String run(Path in, String... command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("unseen", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(in.toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      if (!process.waitFor(120, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "timed out: " + Files.readString(out, UTF_8);
      }
      return process.exitValue() + ": " + Files.readString(out, UTF_8).strip();
    } finally {
      Files.delete(out);
    }
  }

  static boolean works(Path in, String... command) throws InterruptedException {
    try {
      return run(in, command).startsWith("0: ");
    } catch (IOException e) {
      return false; // there is no such program
    }
  }
}
