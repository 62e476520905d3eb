package dev.unseen.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.testing.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, at a free port. */
public final class ServerProcess implements AutoCloseable {
  private static final Pattern LAUNCHER_OPTIONS =
      Pattern.compile("\\[ \"\\$topic\" != serve ] \\|\\| options\\+=\\(([^)]*)\\)");

  private final Process process;
  private final List<String> startupMessages = new ArrayList<>();
  private final int port;

  public ServerProcess(Path directory, String... args) throws IOException {
    this(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"), directory, args);
  }

  private ServerProcess(List<String> java, Path directory, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(java);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "dev.unseen.server.ServeCommand",
            "--port",
            "0",
            "--dir",
            directory.toString()));
    command.addAll(List.of(args));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
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

  /** Starts a server with the options for Java that the launcher sets. */
  public static ServerProcess asLaunched(Path directory, String... args) throws IOException {
    Matcher options = LAUNCHER_OPTIONS.matcher(Files.readString(Path.of("../unseen")));
    if (!options.find()) {
      throw new IOException("the launcher has no options for the server");
    }
    return new ServerProcess(List.of(options.group(1).split("\\s+")), directory, args);
  }

  public long pid() {
    return process.pid();
  }

  public int port() {
    return port;
  }

  public List<String> startupMessages() {
    return startupMessages;
  }

  public RawClient client() throws IOException {
    return new RawClient(port);
  }

  /** Kills it at once, as kill -9 does. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Asks it to end, as TERM does, and returns its exit code. */
  public int end() throws InterruptedException {
    process.destroy();
    return Patience.exitCode(process);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
