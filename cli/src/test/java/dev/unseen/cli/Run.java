package dev.unseen.cli;

import dev.unseen.testing.Patience;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** One run of the command, in a process of its own unless said otherwise, and what came of it. */
public final class Run {
  private static final List<String> JAVA =
      QuickStart.java("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx600m");

  /**
   * Gives each task a thread. On two cores the common pool has one, which waits for one stream of a
   * process while nobody reads the other; before Java 25, {@code CompletableFuture} avoided it.
   */
  public static final Executor THREADS = task -> new Thread(task, "reads a process").start();

  private final int exitCode;
  private final byte[] stdout;
  private final String stderr;

  private Run(int exitCode, byte[] stdout, String stderr) {
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /** The command with these arguments, not yet started. */
  public static ProcessBuilder command(String... args) {
    List<String> line = new ArrayList<>(JAVA);
    line.add("dev.unseen.cli.Main");
    line.addAll(Arrays.asList(args));
    return plain(new ProcessBuilder(line));
  }

  /** Without the variables that change what Java or the system says. */
  public static ProcessBuilder plain(ProcessBuilder builder) {
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "UNSEEN_OPTS", "NO_COLOR"));
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder;
  }

  /** Sets the Java options of the launcher: short runs are over before good code has paid off. */
  public static ProcessBuilder quick(ProcessBuilder launcher) {
    launcher.environment().put("UNSEEN_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    return plain(launcher);
  }

  /** Runs the command to its end, in a process. */
  public static Run of(byte[] stdin, String... args) {
    return of(stdin, command(args));
  }

  /**
   * Runs a command that reads no stdin to its end, in this process: for those that compute so much
   * that a new Java, which compiles nothing yet, takes several times as long.
   */
  public static Run here(String... args) {
    return here(new byte[0], args);
  }

  /**
   * Runs the command to its end in this process, which takes a tenth of the time: where a test asks
   * what comes out, and not what a process does with its streams, its heap or its environment.
   */
  public static Run here(byte[] stdin, String... args) {
    ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    InputStream before = System.in;
    Locale localeBefore = Locale.getDefault();
    Locale.setDefault(Locale.ROOT); // as main does
    System.setIn(new ByteArrayInputStream(stdin));
    try (PrintStream err = new PrintStream(stderr, true, StandardCharsets.UTF_8)) {
      int exitCode = Main.run(args, stdout, err);
      return new Run(exitCode, stdout.toByteArray(), stderr.toString(StandardCharsets.UTF_8));
    } finally {
      System.setIn(before);
      Locale.setDefault(localeBefore);
    }
  }

  /** Runs a process to its end. */
  public static Run of(byte[] stdin, ProcessBuilder builder) {
    try {
      Process process = builder.start();
      CompletableFuture<String> stderr =
          CompletableFuture.supplyAsync(
              () -> new String(readAll(process.getErrorStream()), StandardCharsets.UTF_8), THREADS);
      CompletableFuture<byte[]> stdout =
          CompletableFuture.supplyAsync(() -> readAll(process.getInputStream()), THREADS);
      try (OutputStream in = process.getOutputStream()) {
        in.write(stdin);
      } catch (IOException e) {
        // It ended before it had read all, as a command that fails may.
      }
      return new Run(exitCode(process), stdout.join(), stderr.join());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static int exitCode(Process process) {
    try {
      return Patience.exitCode(process);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public static byte[] readAll(InputStream stream) {
    try (stream) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int exitCode() {
    return exitCode;
  }

  public byte[] stdout() {
    return stdout;
  }

  public String stderr() {
    return stderr;
  }

  /** What it wrote to stdout, as text. */
  public String text() {
    return new String(stdout, StandardCharsets.UTF_8);
  }
}
