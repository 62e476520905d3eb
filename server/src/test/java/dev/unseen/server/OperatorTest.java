package dev.unseen.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A startup error is one line, after that of the port if it is open already, with the remedy and
 * the right exit code.
 */
class OperatorTest {
  @TempDir Path directory;

  private static String run(String... args) {
    StringWriter err = new StringWriter();
    int code =
        new ServeCommand().run(new PrintWriter(new StringWriter()), new PrintWriter(err), args);
    return code + " " + err;
  }

  @Test
  void a_port_that_is_in_use_is_named() throws IOException {
    try (TestServer server = new TestServer("--http", "0")) {
      assertThat(run("--port", "" + server.port()))
          .startsWith("1 unseen serve: cannot listen on 127.0.0.1 port " + server.port())
          .contains("choose another with --port")
          .hasLineCount(1);
      assertThat(run("--port", "0", "--http", "" + server.server().httpPort().getAsInt()))
          .startsWith("1 unseen serve: cannot listen on 127.0.0.1 port ")
          .hasLineCount(1);
    }
  }

  @Test
  void files_that_cannot_be_used_are_named_with_the_reason() throws IOException {
    Path missing = directory.resolve("missing");
    Path file = Files.writeString(directory.resolve("file"), "garbage");
    assertThat(run("--port", "0", "--auth-file", missing.toString()))
        .isEqualTo("1 unseen serve: %s: the file does not exist%n".formatted(missing));
    assertThat(run("--port", "0", "--dir", file.toString()))
        .endsWith("%nunseen serve: %s: it is a file, but must be a directory%n".formatted(file));
    assertThat(run("--port", "0", "--tls-cert", missing.toString(), "--tls-key", file.toString()))
        .startsWith("2 unseen serve: --tls-cert %s and --tls-key".formatted(missing))
        .contains("both must be PEM files");
    assertThat(run("--port", "0", "--tls-cert", file.toString(), "--tls-key", file.toString()))
        .startsWith("2 unseen serve: --tls-cert ")
        .hasLineCount(1);
  }

  @Test
  void a_directory_that_the_user_may_not_write_to_is_named() throws IOException {
    Path locked = Files.createDirectory(directory.resolve("locked"));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeTrue(!Files.isWritable(locked), "root may write everywhere");
    assertThat(run("--port", "0", "--dir", locked.toString()))
        .endsWith("lock: permission denied%n".formatted());
    assertThat(run("--port", "0", "--dir", locked.resolve("new").toString()))
        .endsWith("new: permission denied%n".formatted());
  }

  @Test
  void a_directory_that_cannot_be_created_is_named() {
    assumeTrue(Files.isDirectory(Path.of("/proc/self")), "there is no /proc");
    assertThat(run("--port", "0", "--dir", "/proc/foo"))
        .endsWith(
            "%nunseen serve: /proc/foo: the directory cannot be created here; choose another directory with --dir%n"
                .formatted());
  }

  @Test
  void a_read_only_file_system_is_reported() throws Exception {
    Path root = Files.createDirectory(directory.resolve("mounted"));
    assumeTrue(
        runs("mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", root.toString()),
        "only a user who may mount a file system can run this");
    try {
      assertThat(run("--port", "0", "--dir", root.toString()))
          .endsWith(
              "%nunseen serve: %s: no file can be written here (Read-only file system); choose another directory with --dir%n"
                  .formatted(root));
      assertThat(run("--port", "0", "--dir", root.resolve("new").toString()))
          .contains("the directory cannot be created here (Read-only file system)");
    } finally {
      runs("umount", root.toString());
    }
  }

  @Test
  void a_missing_secret_is_named_with_the_option_that_starts_without_it() throws IOException {
    try (TestServer server = new TestServer("--dir", directory.toString());
        RawClient client = server.client()) {
      assertThat(client.say("SET k 1 NX EX 60")).isEqualTo("+OK");
    }
    Files.delete(directory.resolve("secret"));
    assertThat(run("--port", "0", "--dir", directory.toString()))
        .startsWith("1 ")
        .contains("unseen serve: " + directory)
        .contains("the file secret is missing")
        .contains("Restore what is missing from a backup, or start once with --accept-data-loss")
        .hasLineCount(2);
  }

  private static boolean runs(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  @Test
  void memory_that_no_filter_fits_into_is_rejected_on_startup() {
    for (String size : List.of("0", "1K", "65535")) {
      for (String option : List.of("--memory", "--set-memory")) {
        assertThat(run("--port", "0", option, size))
            .startsWith(
                "2 unseen serve: %s (%s) must be at least 64 KiB; give a larger size, such as %s 64M"
                    .formatted(option, size, option))
            .hasLineCount(1);
      }
    }
    assertThat(run("--port", "0", "--max-memory", "1K"))
        .startsWith("2 unseen serve: --max-memory (1K) must be at least 1 MiB; give a larger size");
  }

  @Test
  void a_time_between_saves_that_is_too_short_names_the_shortest() {
    for (String time : List.of("0", "0s", "300ms", "x")) {
      assertThat(run("--port", "0", "--save-every", time))
          .startsWith(
              "2 unseen serve: --save-every (%s) must be a time of at least 1s, such as 30s"
                  .formatted(time));
    }
  }

  @Test
  void contradicting_options_are_rejected() {
    assertThat(run("--port", "0", "--max-request", "64M", "--max-buffers", "1M"))
        .startsWith(
            "2 unseen serve: --max-buffers (1M) must be at least 150217728 bytes, so that one request of --max-request (64 MiB)");
    assertThat(run("--port", "0", "--max-request", "64M", "--max-memory", "256M"))
        .startsWith(
            "2 unseen serve: 143 MiB of --max-memory (256 MiB) would be for the buffers of clients")
        .contains("raise --max-memory, or lower --max-request");
    assertThat(run("--port", "0", "--max-buffers", "200M", "--max-memory", "256M"))
        .contains("raise --max-memory, or lower --max-buffers");
    assertThat(run("--port", "0", "--max-memory", "100T"))
        .contains("start it with a larger heap, such as UNSEEN_JAVA_OPTS=-Xmx8g");
    assertThat(run("--port", "0", "--bind", "0.0.0.0"))
        .startsWith("2 ")
        .contains("--auth-file FILE");
  }
}
