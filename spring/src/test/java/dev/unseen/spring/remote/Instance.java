package dev.unseen.spring.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.spring.HttpCalls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An instance of the application, in a process of its own. */
final class Instance implements AutoCloseable {
  private final Process process;
  private final Path ledger;
  private final List<String> output = new ArrayList<>();
  private int port;

  /** Starts an instance. It is ready when {@link #await} has returned. */
  Instance(Path ledger, String... properties) throws IOException {
    this.ledger = ledger;
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LedgerApplication.class.getName(),
                "--server.port=0",
                "--ledger=" + ledger,
                "--logging.level.root=off",
                "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"));
    List.of(properties).forEach(property -> command.add("--" + property));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Waits until the instance is ready. */
  HttpCalls await() throws IOException {
    BufferedReader reader = process.inputReader(UTF_8);
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      output.add(line);
      if (line.startsWith("port ")) {
        port = Integer.parseInt(line.substring("port ".length()));
        return new HttpCalls(port);
      }
    }
    throw new IOException("the instance did not start: " + output);
  }

  /** Returns the ids that were booked here. */
  List<String> booked() {
    try {
      return Files.exists(ledger) ? Files.readAllLines(ledger) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it, as kill -9 does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
