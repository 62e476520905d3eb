package dev.unseen.server.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs, and fetches clients of other languages, once, into target/clients. */
final class Programs {
  private static final Path GO_PATH = Path.of("/usr/share/gocode");
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

  /** Returns a Python that has any redis-py, such as that of Debian's python3-redis. */
  static String anyPython() throws IOException, InterruptedException {
    Files.createDirectories(HOME);
    for (String python : List.of("python3", "/usr/bin/python3")) {
      if (works(HOME, python, "-c", "import redis; redis.Redis.bf")) {
        return python;
      }
    }
    return python();
  }

  /**
   * Returns whether there is Go, and its client redigo where Debian's
   * golang-github-gomodule-redigo-dev puts it.
   */
  static boolean hasGo() throws IOException, InterruptedException {
    Files.createDirectories(HOME);
    return works(HOME, "go", "version")
        && Files.isDirectory(GO_PATH.resolve("src/github.com/gomodule/redigo"));
  }

  /** Runs a program in Go. */
  static String runGo(Path file) throws IOException, InterruptedException {
    return run(
        HOME,
        "env",
        "GO111MODULE=off",
        "GOPATH=" + GO_PATH,
        "GOCACHE=" + HOME.resolve("go-cache"),
        "go",
        "run",
        file.toString());
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
      if (!process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
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
