package dev.unseen.dist;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** The archive as it is downloaded: all commands work, and are described. */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ArchiveIT {
  /** An option that only this command has. */
  private static final Map<String, String> OPTIONS =
      Map.of("flink", "parallelism", "kafka", "application-id", "serve", "fsync", "lab", "family");

  @TempDir static Path dir;
  private static Unpacked unseen;

  @BeforeAll
  static void unpack() throws IOException {
    unseen = Unpacked.below(dir);
  }

  private static List<Path> jars(Path below) throws IOException {
    try (Stream<Path> files = Files.walk(below)) {
      return files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
  }

  @Test
  @Order(1)
  void has_each_large_jar_once_and_those_of_a_door_only_in_its_directory() throws IOException {
    List<Path> jars = jars(unseen.home().resolve("lib"));
    assertThat(jars)
        .hasSizeGreaterThan(40)
        .filteredOn(jar -> jar.toFile().length() > 1_000_000)
        .hasSizeGreaterThan(8)
        .extracting(jar -> jar.getFileName().toString())
        .doesNotHaveDuplicates();
    Set<String> directories =
        jars.stream()
            .map(jar -> jar.getParent().getFileName().toString())
            .collect(Collectors.toSet());
    assertThat(directories).containsExactlyInAnyOrder("lib", "lab", "charts", "serve", "kafka");
    assertThat(jars)
        .filteredOn(jar -> jar.getParent().endsWith("lib"))
        .extracting(jar -> jar.getFileName().toString())
        .noneMatch(name -> name.matches("(netty|kafka|flink|echarts|scala|unseen-lab).*"));
  }

  /** Who adds a large dependency is to think of those who download it. */
  @Test
  @Order(1)
  void is_not_larger_than_it_says() throws IOException {
    assertThat(Files.size(Unpacked.archive(""))).isLessThan(55_000_000);
    assertThat(Files.size(Unpacked.archive("-flink"))).isLessThan(110_000_000);
  }

  @Test
  @Order(1)
  void can_be_run_by_all_and_has_a_licence() throws IOException {
    try (FileSystem zip =
        FileSystems.newFileSystem(
            Unpacked.archive(""), Map.of("enablePosixFileAttributes", "true"))) {
      Path home = zip.getPath(unseen.home().getFileName().toString());
      for (String file : List.of("bin/unseen.bat", "LICENSE", "README.md", "CHANGELOG.md")) {
        assertThat(Files.exists(home.resolve(file))).as(file).isTrue();
      }
      assertThat(Files.getPosixFilePermissions(home.resolve("bin/unseen")))
          .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  @Order(1)
  void pages_and_completions_know_the_options_of_all_commands() throws IOException {
    Path share = unseen.home().resolve("share");
    OPTIONS.forEach(
        (command, option) -> {
          assertThat(share.resolve("man/man1/unseen-%s.1".formatted(command)))
              .content()
              .contains("\\-\\-" + option.replace("-", "\\-"));
          assertThat(share.resolve("bash-completion/completions/unseen"))
              .content()
              .contains(option);
        });
    assertThat(unseen.run("man", "flink").stdout()).contains("\\-\\-parallelism");
    assertThat(unseen.run("completion", "bash").stdout()).contains("parallelism");
  }

  @Test
  @Order(2)
  void the_server_answers() throws Exception {
    Process server = unseen.command("serve", "--port", "0", "--http", "0").start();
    try (BufferedReader said = server.errorReader(UTF_8)) {
      String line = said.readLine();
      Matcher ports = Pattern.compile("port (\\d+), HTTP on port (\\d+)").matcher(line);
      assertThat(ports.find()).as(line).isTrue();
      await("a server that has loaded")
          .until(() -> ask(ports.group(1), "PING\r\n").equals("+PONG"));
      assertThat(ask(ports.group(2), "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n"))
          .contains(" 200 ");
      // The page has its chart, from the directory that it shares with the lab.
      assertThat(ask(ports.group(2), "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n"))
          .contains(" 200 ");
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  private static String ask(String port, String question) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port))) {
      socket.getOutputStream().write(question.getBytes(US_ASCII));
      return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
    }
  }

  @Test
  @Order(2)
  void kafkas_clients_are_there() {
    Ran ran =
        unseen.run(
            "kafka",
            "-b",
            "127.0.0.1:1",
            "--from",
            "a",
            "--to",
            "b",
            "-m",
            "1M",
            "--patience",
            "1s");
    assertThat(ran.stderr()).contains("127.0.0.1:1").doesNotContain("class");
    assertThat(ran.exitCode()).isEqualTo(1);
  }

  @Test
  @Order(3)
  void flink_is_apart_and_runs_when_it_is_added() throws IOException {
    Ran rejected = unseen.run("flink", "--help");
    String version = unseen.home().getFileName().toString();
    assertThat(rejected.stderr())
        .isEqualTo(
            "unseen: flink is not part of this installation; copy lib/flink of %s-flink.zip to"
                + " %s/lib/flink, or install the package unseen-flink\n",
            version, unseen.home());
    assertThat(rejected.exitCode()).isEqualTo(1);

    Path classes = unseen.home().resolve("cache/unseen.jsa");
    FileTime made = Files.getLastModifiedTime(classes);
    unseen.addFlink();
    Path in = Files.writeString(dir.resolve("in"), "a\nb\na\n");
    Path out = dir.resolve("out");
    Ran ran = unseen.run("flink", "-i", in, "-o", out, "-m", "1M");
    assertThat(ran.stderr()).isEqualTo("unseen: 3 records, 2 new, 1 duplicate\n");
    assertThat(ran.exitCode()).isZero();
    StringBuilder written = new StringBuilder();
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        written.append(Files.readString(file));
      }
    }
    assertThat(written.toString().lines()).containsExactlyInAnyOrder("a", "b");
    // A package of the system, too, adds Flink later, and users could not make that one again.
    assertThat(Files.getLastModifiedTime(classes)).isEqualTo(made);
  }

  @Test
  @Order(4)
  void its_classes_are_shared() throws IOException {
    assertThat(unseen.run("--version").exitCode()).isZero();
    Path log = dir.resolve("classes");
    ProcessBuilder builder = unseen.command("--version");
    builder.environment().put("UNSEEN_JAVA_OPTS", "-Xlog:class+load:file=" + log);
    assertThat(Ran.of("", builder).exitCode()).isZero();
    assertThat(Files.readString(log))
        .contains("dev.unseen.cli.Main source: shared objects file")
        .doesNotContain("source: file:");
  }
}
