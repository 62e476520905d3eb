package dev.unseen.cli;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher itself, on the jars that this build has just made. Where it is to build, it does so
 * in a copy of the tree, with a stand-in for Maven that only puts those jars in their place.
 */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class LauncherIT {
  private static final byte[] NOTHING = {};
  private static final Path MODULE = Path.of(System.getProperty("basedir", "."));
  private static final Path LAUNCHER = MODULE.resolve("../unseen").toAbsolutePath().normalize();
  private static final String BUILDING =
      "unseen: building, first use only (a minute; two if Maven has to download 70 MB first)...\n";

  @TempDir Path dir;

  @Nested
  class Built {
    @Test
    void passes_arguments_streams_and_exit_codes_through() {
      Run run = launch(LAUNCHER, "a\nb\na\n", "--kind", "bloom", "-m", "1M");
      assertThat(run.text()).isEqualTo("a\nb\n");
      assertThat(run.stderr())
          .startsWith("unseen: 3 records, 2 new, 1 duplicate in ")
          .hasLineCount(2);
      assertThat(run.exitCode()).isZero();

      assertThat(launch(LAUNCHER, "", "-q", "/not/there").exitCode()).isEqualTo(1);
      Run usage = launch(LAUNCHER, "", "--kind", "no such");
      assertThat(usage.exitCode()).isEqualTo(2);
      assertThat(usage.stderr())
          .startsWith("unseen: --kind 'no such' is unknown; known: auto, sbf, ");
    }

    @Test
    void works_through_links_and_from_any_directory() throws IOException {
      Path far = Files.createDirectories(dir.resolve("a far place"));
      Files.writeString(far.resolve("a file"), "x\nx\n");
      Path link = Files.createSymbolicLink(far.resolve("un seen"), LAUNCHER);
      Path linkToLink =
          Files.createSymbolicLink(dir.resolve("link"), Path.of("a far place/un seen"));
      for (Path start : List.of(link, linkToLink)) {
        ProcessBuilder builder = builder(start, "-q", "a file").directory(far.toFile());
        assertThat(Run.of(NOTHING, builder).text()).isEqualTo("x\n");
      }
      Files.delete(linkToLink); // JUnit would warn of links that lead out of its directory
      Files.delete(link);
    }

    @Test
    void says_nothing_of_its_own_whatever_javas_variables_say() {
      ProcessBuilder builder = builder(LAUNCHER, "-q");
      builder.environment().put("JAVA_TOOL_OPTIONS", "-Xmx100m");
      builder.environment().put("JDK_JAVA_OPTIONS", "-Xmx100m");
      Run run = Run.of(bytes("x\n"), builder);
      assertThat(run.text()).isEqualTo("x\n");
      assertThat(run.stderr()).isEmpty();
    }

    @Test
    void gives_java_the_options_of_its_own_variable() {
      ProcessBuilder builder = builder(LAUNCHER, "-m", "1G");
      builder.environment().put("UNSEEN_JAVA_OPTS", "-Xmx50m -Dstar=*");
      Run run = Run.of(NOTHING, builder);
      assertThat(run.stderr()).contains("must be at most the heap");
      assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void takes_every_class_of_jars_from_the_archive() throws IOException {
      Path log = dir.resolve("classes");
      ProcessBuilder builder = builder(LAUNCHER, "-q", "-f", "jsonl", "-k", "id");
      builder.environment().put("UNSEEN_JAVA_OPTS", "-Xlog:class+load:file=" + log);
      assertThat(Run.of(bytes("{\"id\":1}\n"), builder).exitCode()).isZero();
      assertThat(Files.readAllLines(log))
          .anyMatch(line -> line.contains("picocli.CommandLine source: shared objects file"))
          .noneMatch(line -> line.contains("source: file:"));
    }

    /** Java says nothing of a method that is not there. */
    @Test
    void names_methods_to_compile_first_that_are_there() throws Exception {
      Matcher named =
          Pattern.compile("CompileThresholdScaling,([\\w.]+)::(\\w+),")
              .matcher(Files.readString(LAUNCHER));
      int found = 0;
      for (; named.find(); found++) {
        assertThat(Class.forName(named.group(1)).getDeclaredMethods())
            .extracting(Method::getName)
            .contains(named.group(2));
      }
      assertThat(found).isPositive();
    }

    @Test
    void opens_files_of_any_name_in_a_bare_locale() throws IOException {
      Files.writeString(dir.resolve("übung"), "x\n");
      ProcessBuilder builder = builder(LAUNCHER, "-q", "übung", "nö").directory(dir.toFile());
      builder.environment().remove("LC_ALL");
      builder.environment().put("LANG", "C");
      Run run = Run.of(NOTHING, builder);
      assertThat(run.text()).isEqualTo("x\n");
      assertThat(run.stderr()).isEqualTo("unseen: cannot read 'nö': No such file or directory\n");
    }

    @Test
    void opens_an_input_whose_name_is_no_text() {
      Run run =
          bash(
              "n=$(printf 'caf\\351'); printf 'x\\nx\\n' >\"$n\"; '%s' -q \"$n\"; rm \"$n\""
                  .formatted(LAUNCHER));
      assertThat(run.stderr()).isEmpty();
      assertThat(run.text()).isEqualTo("x\n");
    }

    /** From when the launcher ignores it on: Java would end before it can hear it. */
    @Test
    void is_not_killed_by_usr1_while_java_starts() throws Exception {
      Process process = builder(LAUNCHER, "-q").start();
      await("USR1 to be ignored").until(() -> ignoresOrHearsUsr1(process));
      for (int i = 0; i < 40; i++) {
        bash("kill -s USR1 " + process.pid());
      }
      process.getOutputStream().write(bytes("x\n"));
      process.getOutputStream().close();
      assertThat(process.getInputStream().readAllBytes()).isEqualTo(bytes("x\n"));
      assertThat(Run.exitCode(process)).isZero();
    }

    private static boolean ignoresOrHearsUsr1(Process process) throws IOException {
      return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
          .filter(line -> line.startsWith("SigIgn:") || line.startsWith("SigCgt:"))
          .anyMatch(line -> (Long.parseUnsignedLong(line.substring(8), 16) >> 9 & 1) != 0);
    }

    @Test
    void does_not_read_a_file_of_javas_when_stdin_is_closed() {
      Run run = bash("'" + LAUNCHER + "' <&-");
      assertThat(run.stdout()).isEmpty();
      assertThat(run.stderr()).isEqualTo("unseen: cannot read stdin: Bad file descriptor\n");
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void ends_quietly_when_head_has_enough() {
      Run run = bash("seq 1 100000000 | '" + LAUNCHER + "' | head -1");
      assertThat(run.text()).isEqualTo("1\n");
      assertThat(run.stderr()).isEmpty();
    }

    @Test
    void runs_every_example_of_its_help_as_written() throws IOException {
      List<String> examples =
          launch(LAUNCHER, "", "--help")
              .text()
              .lines()
              .dropWhile(line -> !line.equals("Examples:"))
              .skip(1)
              .takeWhile(line -> line.startsWith("  "))
              .filter(line -> !line.startsWith("   ")) // what it does
              .map(String::strip)
              .toList();
      assertThat(examples).hasSize(5);
      for (String file : List.of("access.log", "app.log", "today.log")) {
        Files.writeString(dir.resolve(file), "x\nx\n");
      }
      Files.writeString(dir.resolve("events.jsonl.gz"), "{\"id\":1}\n");
      Files.writeString(dir.resolve("users.csv"), "email,name\na@b.c,Ann\n");
      assertThat(examples)
          .allSatisfy(
              example -> {
                Run run =
                    bash(
                        "set -e -o pipefail; PATH=$PATH:'"
                            + LAUNCHER.getParent()
                            + "'; "
                            + example.replace("tail -f", "cat")); // which would not end
                assertThat(run.exitCode()).as(run.stderr()).isZero();
              });
    }
  }

  /** As those have it who have no Maven. */
  @Nested
  class Unpacked {
    private Path home;

    @BeforeEach
    void unpack() throws IOException {
      home = Distribution.unpack(Files.createDirectories(dir.resolve("a place")));
    }

    @Test
    void runs_from_anywhere_without_maven_and_builds_nothing() throws IOException {
      Path link = Files.createSymbolicLink(dir.resolve("link"), home.resolve("bin/unseen"));
      for (int i = 0; i < 2; i++) {
        ProcessBuilder builder = builder(link, "-q", "-f", "jsonl", "-k", "id");
        builder.directory(new File("/"));
        builder.environment().put("PATH", "/usr/bin:/bin");
        Run run = Run.of(bytes("{\"id\":1}\n{\"id\":\"1\"}\n"), builder);
        assertThat(run.text()).isEqualTo("{\"id\":1}\n");
        assertThat(run.stderr()).isEmpty();
        assertThat(run.exitCode()).isZero();
      }
      assertThat(Files.size(home.resolve("cache/unseen.jsa"))).isPositive();
      Files.delete(link);
    }
  }

  @Nested
  class Building {
    /** As Maven does: lib is always new, the jar only if it differs. */
    private static final String PUT_IN_PLACE =
        """
        mkdir -p cli/target
        rm -rf cli/target/lib
        cp -R "$BUILT"/lib cli/target
        cmp -s "$BUILT"/unseen-cli.jar cli/target/unseen-cli.jar ||
          cp "$BUILT"/unseen-cli.jar cli/target
        """;

    private Path tree;
    private Path launcher;

    @BeforeEach
    void copy_the_tree_without_what_was_built() throws IOException {
      tree = Files.createDirectories(dir.resolve("a tree"));
      launcher = Files.copy(LAUNCHER, tree.resolve("unseen"), StandardCopyOption.COPY_ATTRIBUTES);
      Files.writeString(tree.resolve("pom.xml"), "");
      Files.createDirectories(tree.resolve("cli/src/main/java"));
      // It reads what it gets: the input is for the command, not for the build.
      script("bin/mvn", "echo run >>calls; sleep 0.5", PUT_IN_PLACE, "cat");
    }

    @Test
    void happens_on_first_use_is_announced_once_and_leaves_the_input_to_the_command()
        throws IOException {
      Run first = run("x\nx\n");
      assertThat(first.text()).isEqualTo("x\n");
      assertThat(first.stderr()).startsWith(BUILDING);
      Run second = run("y\n");
      assertThat(second.text()).isEqualTo("y\n");
      assertThat(second.stderr()).isEmpty();
      assertThat(builds()).isEqualTo(1);
      assertThat(Files.size(tree.resolve("cli/target/unseen.jsa"))).isPositive();
    }

    @Test
    void leaves_the_files_alone_that_the_users_own_options_name() {
      ProcessBuilder builder = withStandIn("-q");
      builder.environment().put("UNSEEN_OPTS", "--state " + dir.resolve("state"));
      Run first = Run.of(bytes("id\nx\n"), builder);
      assertThat(first.stderr()).startsWith(BUILDING);
      assertThat(first.text()).isEqualTo("id\nx\n");
    }

    @Test
    void happens_again_when_a_source_is_newer() throws IOException {
      run("");
      age(tree.resolve("pom.xml"), 120);
      try (Stream<Path> sources = Files.walk(tree.resolve("cli/src"))) {
        sources.forEach(source -> age(source, 120));
      }
      age(tree.resolve("cli/target/unseen-cli.jar"), 60);
      age(tree.resolve("cli/target/lib"), 60);
      assertThat(run("x\n").stderr()).isEmpty();

      Files.writeString(tree.resolve("cli/src/main/java/New.java"), "");
      assertThat(run("x\n").stderr())
          .startsWith("unseen: building again, a source has changed...\n");
      assertThat(run("x\n").stderr()).isEmpty();
      assertThat(builds()).isEqualTo(2);
    }

    @Test
    void happens_once_for_two_who_come_at_the_same_time() throws IOException {
      List<CompletableFuture<Run>> runs =
          Stream.of("1\n", "2\n", "3\n")
              .map(input -> CompletableFuture.supplyAsync(() -> run(input), Run.THREADS))
              .toList();
      assertThat(runs.stream().map(CompletableFuture::join).map(Run::text))
          .containsExactly("1\n", "2\n", "3\n");
      assertThat(builds()).isEqualTo(1);
    }

    @Test
    void that_fails_shows_the_end_of_its_log_and_is_tried_again() throws IOException {
      script("bin/mvn", PUT_IN_PLACE, "seq 100; echo broken >&2; exit 7");
      Run run = run("x\n");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.stdout()).isEmpty();
      assertThat(run.stderr())
          .startsWith(BUILDING)
          .contains("82\n", "100\nbroken\nunseen: the build failed; all it said is in ");
      assertThat(run("x\n").stderr()).contains("broken\nunseen: the build failed");
    }

    @Test
    void without_maven_is_rejected() throws IOException {
      Files.delete(tree.resolve("bin/mvn"));
      ProcessBuilder builder = builder(launcher);
      builder.environment().put("PATH", toolsWithoutMaven());
      Run run = Run.of(NOTHING, builder);
      assertThat(run.stderr())
          .isEqualTo("unseen: mvn is not found; install Maven, which builds unseen\n");
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void with_a_java_home_that_is_none_is_rejected() throws IOException {
      assertThat(runWithJavaHome(dir.resolve("nowhere")).stderr())
          .isEqualTo(
              "unseen: JAVA_HOME (%s) has no bin/java; set it to a JDK 17 or newer\n",
              dir.resolve("nowhere"));
    }

    @Test
    void with_an_old_java_is_rejected() throws IOException {
      Path old = script("old/bin/java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");
      Run run = runWithJavaHome(tree.resolve("old"));
      assertThat(run.stderr())
          .isEqualTo(
              "unseen: %s is too old; install a JDK 17 or newer, or set JAVA_HOME to one\n",
              old.toRealPath());
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(tree.resolve("calls")).doesNotExist();
    }

    @Test
    void is_not_spoilt_by_a_damaged_class_archive() throws IOException {
      run("");
      Path archive = tree.resolve("cli/target/unseen.jsa");
      Files.delete(archive);
      Files.writeString(archive, "not an archive");
      Run run = run("x\n");
      assertThat(run.text()).isEqualTo("x\n");
      assertThat(run.stderr()).isEmpty();
    }

    private Run run(String input) {
      return Run.of(bytes(input), withStandIn("-q"));
    }

    private Run runWithJavaHome(Path home) {
      ProcessBuilder builder = withStandIn("-q");
      builder.environment().put("JAVA_HOME", home.toString());
      return Run.of(NOTHING, builder);
    }

    private ProcessBuilder withStandIn(String... args) {
      ProcessBuilder builder = builder(launcher, args);
      builder
          .environment()
          .merge("PATH", tree.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
      builder.environment().put("BUILT", MODULE.resolve("target").toAbsolutePath().toString());
      return builder;
    }

    private long builds() throws IOException {
      return Files.readAllLines(tree.resolve("calls")).size();
    }

    private Path script(String name, String... lines) throws IOException {
      return script(tree.resolve(name), lines);
    }

    private static Path script(Path path, String... lines) throws IOException {
      Files.createDirectories(path.getParent());
      Files.writeString(path, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
      return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A directory with stand-ins for what the launcher calls, but for Maven. */
    private String toolsWithoutMaven() throws IOException {
      Path tools = Files.createDirectories(dir.resolve("tools"));
      for (String tool :
          List.of("bash", "env", "readlink", "dirname", "find", "sed", "mkdir", "flock")) {
        Path found = Path.of(bash("command -v " + tool).text().strip());
        script(tools.resolve(tool), "exec '" + found + "' \"$@\"");
      }
      return tools.toString();
    }
  }

  private static ProcessBuilder builder(Path launcher, String... args) {
    ProcessBuilder builder = Run.quick(new ProcessBuilder(launcher.toString()));
    builder.command().addAll(List.of(args));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  private static Run launch(Path launcher, String input, String... args) {
    return Run.of(bytes(input), builder(launcher, args));
  }

  private Run bash(String script) {
    ProcessBuilder builder = Run.quick(new ProcessBuilder("bash", "-c", script));
    builder.directory(new File(dir.toString()));
    return Run.of(NOTHING, builder);
  }

  private static void age(Path path, int seconds) {
    try {
      Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(seconds)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
