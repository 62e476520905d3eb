package dev.unseen.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code unseen serve} in a process of its own, at a free port unless {@code --port} is given.
 * The module {@code server} must be on the class path of the test.
 */
public class UnseenProcess implements AutoCloseable {
  private static final List<String> JAVA_OPTIONS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");

  private final Process process;
  private final List<String> startupMessages = new ArrayList<>();
  private final int port;

  /** Starts a server that saves its filters in a directory, and waits until it has loaded them. */
  public UnseenProcess(Path directory, String... args) throws IOException {
    this(JAVA_OPTIONS, directory, args);
  }

  protected UnseenProcess(List<String> java, Path directory, String... args) throws IOException {
    process = new ProcessBuilder(command(java, directory, args)).redirectErrorStream(true).start();
    BufferedReader reader = process.inputReader(UTF_8);
    int found = 0;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      startupMessages.add(line);
      if (line.contains("listening on")) {
        found = Integer.parseInt(line.replaceAll(".* port (\\d+).*", "$1"));
      }
      if (line.contains("loaded ")) { // the line that follows
        break;
      }
    }
    port = found;
    if (port == 0) {
      throw new IOException("the server did not start: " + startupMessages);
    }
  }

  public static List<String> command(Path directory, String... args) {
    return command(JAVA_OPTIONS, directory, args);
  }

  private static List<String> command(List<String> java, Path directory, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(java);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "dev.unseen.server.ServeCommand",
            "--dir",
            directory.toString()));
    if (!List.of(args).contains("--port")) {
      command.addAll(List.of("--port", "0"));
    }
    command.addAll(List.of(args));
    return command;
  }

  public final long pid() {
    return process.pid();
  }

  public final int port() {
    return port;
  }

  public final List<String> startupMessages() {
    return startupMessages;
  }

  /** Kills it at once, as kill -9 does. */
  public final void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Asks it to end, as TERM does, and returns its exit code. */
  public final int end() throws InterruptedException {
    process.destroy();
    return Patience.exitCode(process);
  }

  @Override
  public final void close() {
    process.destroyForcibly();
  }
}
