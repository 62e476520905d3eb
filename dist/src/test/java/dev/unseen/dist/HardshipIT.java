package dev.unseen.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** The archive in bad places: it works, or it reports what is wrong and the remedy. */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class HardshipIT {
  @TempDir static Path dir;
  private static Unpacked unseen;

  @BeforeAll
  static void unpack() throws IOException {
    unseen = Unpacked.below(Files.createDirectories(dir.resolve("a place")));
  }

  @AfterEach
  void forget() throws IOException {
    delete(unseen.home().resolve("cache"));
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void assertRuns(ProcessBuilder builder) {
    Ran ran = Ran.of("a\na\n", builder);
    assertThat(ran.stderr()).isEmpty();
    assertThat(ran.stdout()).isEqualTo("a\n");
    assertThat(ran.exitCode()).isZero();
  }

  private static void assertFails(ProcessBuilder builder, String message) {
    Ran ran = Ran.of("", builder);
    assertThat(ran.stderr()).isEqualTo("unseen: " + message + "\n");
    assertThat(ran.exitCode()).isEqualTo(1);
  }

  /** For the superuser, too, who may write anywhere else. */
  @Test
  void where_nothing_can_be_written_it_keeps_its_cache_at_home_or_nowhere() throws IOException {
    Path inTheWay = Files.writeString(unseen.home().resolve("cache"), "");
    ProcessBuilder builder = unseen.command("-q");
    builder.environment().put("XDG_CACHE_HOME", dir.resolve("my cache").toString());
    assertRuns(builder);
    Path cache = dir.resolve("my cache/unseen").resolve(unseen.home().getFileName());
    assertThat(cache.resolve("unseen.jsa.java")).isNotEmptyFile();

    builder.environment().put("XDG_CACHE_HOME", inTheWay.toString());
    assertRuns(builder);
  }

  /** A package makes it when it is installed, as the superuser. */
  @Test
  void what_somebody_else_has_cached_is_used_without_writing() throws IOException {
    assertRuns(unseen.command("-q"));
    Path made = unseen.home().resolve("cache/unseen.jsa");
    ProcessBuilder builder = unseen.command("-q");
    builder.environment().put("XDG_CACHE_HOME", dir.resolve("no cache").toString());
    Object before = Files.getLastModifiedTime(made);
    assertRuns(builder);
    assertThat(Files.getLastModifiedTime(made)).isEqualTo(before);
    assertThat(dir.resolve("no cache")).doesNotExist();
  }

  @Test
  void without_any_java_it_says_what_to_install() throws IOException {
    ProcessBuilder builder = unseen.command("--version");
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("PATH", tools().toString());
    assertFails(builder, "java is not found; install a JDK 17 or newer, or set JAVA_HOME");
  }

  @Test
  void a_wrong_java_home_is_named() {
    ProcessBuilder builder = unseen.command("--version");
    builder.environment().put("JAVA_HOME", "/no where");
    assertFails(builder, "JAVA_HOME (/no where) has no bin/java; set it to a JDK 17 or newer");
  }

  @Test
  void a_runtime_inside_is_used_whatever_java_home_says() throws IOException {
    Path bin = Files.createDirectories(unseen.home().resolve("runtime/bin"));
    Files.createSymbolicLink(
        bin.resolve("java"), Path.of(System.getProperty("java.home"), "bin/java"));
    try {
      ProcessBuilder builder = unseen.command("-q");
      builder.environment().put("JAVA_HOME", "/no where");
      assertRuns(builder);
      builder.environment().remove("JAVA_HOME");
      builder.environment().put("PATH", tools().toString());
      assertRuns(builder);
    } finally {
      delete(bin.getParent());
    }
  }

  @Test
  void a_jar_that_is_cut_short_is_reported() throws IOException {
    Path lib = unseen.home().resolve("lib");
    cutShort(
        lib.resolve("unseen-cli.jar"),
        () ->
            assertFails(
                unseen.command("--version"),
                "%s cannot run the jars in %s; a file is missing or damaged: install unseen again"
                    .formatted(java(), lib)));
    Path picocli;
    try (Stream<Path> jars = Files.list(lib)) {
      picocli = jars.filter(jar -> jar.toString().contains("picocli")).findFirst().orElseThrow();
    }
    assertRuns(unseen.command("-q")); // damage may come later
    cutShort(
        picocli,
        () -> {
          Ran ran = unseen.run("--version");
          assertThat(ran.stderr())
              .matches(
                  "unseen: a part of this installation is missing or damaged"
                      + " \\(there is no class picocli/\\S+\\); install it again\n");
          assertThat(ran.exitCode()).isEqualTo(1);
        });
  }

  private static void cutShort(Path jar, Runnable then) throws IOException {
    byte[] whole = Files.readAllBytes(jar);
    try (FileChannel channel = FileChannel.open(jar, StandardOpenOption.WRITE)) {
      channel.truncate(whole.length / 2);
    }
    try {
      then.run();
    } finally {
      Files.write(jar, whole);
    }
  }

  private static Path java() {
    try {
      return Path.of(System.getProperty("java.home"), "bin/java").toRealPath();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A directory with what the launcher calls, and no Java. */
  private static Path tools() throws IOException {
    Path tools = Files.createDirectories(dir.resolve("tools"));
    for (String tool :
        List.of("bash", "env", "readlink", "dirname", "sed", "mkdir", "flock", "awk", "mv", "rm")) {
      String found = Ran.of("", "bash", "-c", "command -v " + tool).stdout().strip();
      Path script =
          Files.writeString(tools.resolve(tool), "#!/bin/sh\nexec %s \"$@\"\n".formatted(found));
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return tools;
  }
}
