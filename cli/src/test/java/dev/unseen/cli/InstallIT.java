package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code install} and {@code uninstall}, from the sources' launcher and from the archive. */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class InstallIT {
  private static final byte[] NOTHING = {};
  private static final Path SOURCES =
      Path.of(System.getProperty("basedir", ".")).resolve("../unseen").toAbsolutePath().normalize();

  /** The pages that every installation has. */
  private static final List<String> PAGES =
      List.of("unseen", "unseen-plan", "unseen-inspect", "unseen-merge", "unseen-lab");

  @TempDir static Path archivePlace;
  private static Path archive;

  @TempDir Path dir;

  @BeforeAll
  static void unpack() throws IOException {
    archive = Distribution.unpack(archivePlace).resolve("bin/unseen");
  }

  private static Path launcher(String from) {
    return from.equals("sources") ? SOURCES : archive;
  }

  private static ProcessBuilder builder(Path launcher, String... args) {
    ProcessBuilder builder = Run.plain(new ProcessBuilder(launcher.toString()));
    builder.command().addAll(List.of(args));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().keySet().removeAll(List.of("UNSEEN_JAVA_OPTS", "MANPATH", "SHELL"));
    return builder;
  }

  private static Run launch(Path launcher, String... args) {
    return Run.of(NOTHING, builder(launcher, args));
  }

  /** All that is below a directory, links not followed. */
  private static Set<String> below(Path directory) throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(directory)) {
      files.forEach(file -> found.add(directory.relativize(file).toString()));
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"sources", "archive"})
  void what_is_installed_runs_from_the_path_and_goes_away_without_a_trace(String from)
      throws IOException {
    Path prefix = Files.createDirectories(dir.resolve("a prefix"));
    Files.createDirectories(prefix.resolve("share/man/man1"));
    Files.writeString(prefix.resolve("share/man/man1/other.1"), "another program's");
    Set<String> before = below(prefix);

    Run install = launch(launcher(from), "install", "--prefix", prefix.toString());
    assertThat(install.stderr()).isEmpty();
    assertThat(install.exitCode()).isZero();
    assertThat(install.text()).endsWith("unseen uninstall --prefix \"" + prefix + "\"\n");
    assertThat(install.text())
        .startsWith("Installed unseen ")
        .contains("bin/unseen", "share/zsh/site-functions/_unseen", "manual pages")
        .contains("  export PATH=\"" + prefix.resolve("bin") + ":$PATH\"\n");

    ProcessBuilder script =
        Run.plain(
            new ProcessBuilder(
                "bash", "-c", "cd / && unseen --version && printf 'a\\na\\n' | unseen -q"));
    script.environment().merge("PATH", prefix + "/bin", (path, bin) -> bin + ":" + path);
    script.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Run run = Run.of(NOTHING, script);
    assertThat(run.stderr()).isEmpty();
    assertThat(run.text()).matches("unseen [0-9].*\na\n");
    Run lab = launch(prefix.resolve("bin/unseen"), "lab", "--help");
    assertThat(lab.text()).startsWith("Usage: unseen lab ");

    for (String page : PAGES) {
      Path file = prefix.resolve("share/man/man1/" + page + ".1");
      assertThat(shown(file))
          .containsPattern("NAME\\s+" + page + "\\s+-\\s+[a-z]")
          .contains("SYNOPSIS\n", "SEE ALSO\n");
    }
    for (String file :
        List.of(
            "bash-completion/completions/unseen",
            "zsh/site-functions/_unseen",
            "fish/vendor_completions.d/unseen.fish")) {
      assertThat(prefix.resolve("share").resolve(file)).isRegularFile();
    }

    // By itself, from its own jars.
    Run uninstall =
        launch(prefix.resolve("bin/unseen"), "uninstall", "--prefix", prefix.toString());
    assertThat(uninstall.stderr()).isEmpty();
    assertThat(uninstall.text()).matches("Deleted \\d+ files below .*\n");
    assertThat(uninstall.exitCode()).isZero();
    assertThat(below(prefix)).isEqualTo(before);
  }

  /** As man shows it; where there is no man or groff, its source. */
  private static String shown(Path page) {
    String script =
        "if command -v groff >/dev/null; then groff -man -Tascii -P-c -ww \"$1\" | sed 's/.\\x08//g';"
            + " elif command -v mandoc >/dev/null; then mandoc -Wwarning -Tascii \"$1\" | col -b;"
            + " else sed 's/^[.]S[HS] //; s/[\\\\]//g; s/$/\\n/' \"$1\"; fi";
    Run run = Run.of(NOTHING, new ProcessBuilder("bash", "-c", script, "bash", page.toString()));
    assertThat(run.stderr()).isEmpty();
    return run.text();
  }

  @Test
  void installing_again_replaces_what_is_installed() throws IOException {
    Path prefix = dir.resolve("new/prefix");
    assertThat(launch(SOURCES, "install", "--prefix", prefix.toString()).exitCode()).isZero();
    Set<String> files = below(prefix);
    Path page = prefix.resolve("share/man/man1/unseen.1");
    Files.writeString(page, "old");
    Path old = prefix.resolve("lib/unseen/lib/older.jar");
    Files.writeString(old, "");
    Path manifest = prefix.resolve("lib/unseen/installed");
    Files.writeString(
        manifest, Files.readString(manifest) + "0".repeat(64) + "  lib/unseen/lib/older.jar\n");

    assertThat(launch(SOURCES, "install", "--prefix", prefix.toString()).exitCode()).isZero();
    assertThat(Files.readString(page)).startsWith(".TH UNSEEN 1");
    assertThat(below(prefix)).isEqualTo(files);

    assertThat(launch(SOURCES, "uninstall", "--prefix", prefix.toString()).exitCode()).isZero();
    assertThat(prefix).doesNotExist();
  }

  @Test
  void a_file_of_somebody_else_is_replaced_by_force_only_and_told() throws IOException {
    Path other = dir.resolve("bin/unseen");
    Files.createDirectories(other.getParent());
    Files.writeString(other, "mine");
    Run run = launch(SOURCES, "install", "--prefix", dir.toString());
    assertThat(run.stderr())
        .isEqualTo(
            "unseen: %s exists and was not installed by unseen; move it away, choose another"
                + " --prefix, or replace it with --force; try 'unseen install --help'\n",
            other);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(below(dir)).containsExactlyInAnyOrder("", "bin", "bin/unseen");

    Run forced = launch(SOURCES, "install", "--force", "--prefix", dir.toString());
    assertThat(forced.text())
        .startsWith("Replaced bin/unseen, which unseen had not installed.\nInstalled unseen ");
    assertThat(launch(other, "--version").text()).startsWith("unseen ");
  }

  @Test
  void a_file_that_was_changed_is_kept_and_told() throws IOException {
    launch(SOURCES, "install", "--prefix", dir.toString());
    Path changed = dir.resolve("share/man/man1/unseen.1");
    Files.writeString(changed, "my notes");
    Path added = Files.writeString(dir.resolve("lib/unseen/notes"), "");
    Run run = launch(SOURCES, "uninstall", "--prefix", dir.toString());
    assertThat(run.text())
        .endsWith("Kept " + changed + ": it was changed after it was installed.\n");
    assertThat(run.exitCode()).isZero();
    assertThat(changed).hasContent("my notes");
    assertThat(added).exists();
    assertThat(dir.resolve("bin")).doesNotExist();
  }

  @Test
  void nothing_installed_is_told_and_nothing_outside_is_touched() throws IOException {
    Run run = launch(SOURCES, "uninstall", "--prefix", dir.toString());
    assertThat(run.stderr()).startsWith("unseen: unseen is not installed below " + dir + " (");
    assertThat(run.exitCode()).isEqualTo(2);

    Path outside = Files.writeString(dir.resolve("outside"), "x");
    Path prefix = dir.resolve("prefix");
    Files.createDirectories(prefix.resolve("lib/unseen"));
    Files.writeString(prefix.resolve("lib/unseen/installed"), "0".repeat(64) + "  ../outside\n");
    Run forged = launch(SOURCES, "uninstall", "--prefix", prefix.toString());
    assertThat(forged.stderr()).contains("'../outside' is not below " + prefix);
    assertThat(forged.exitCode()).isEqualTo(1);
    assertThat(outside).exists();
  }

  @Test
  void a_place_that_cannot_be_written_is_told() throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "");
    Run run = launch(SOURCES, "install", "--prefix", file.resolve("below").toString());
    assertThat(run.stderr()).startsWith("unseen: ").contains("file").hasLineCount(1);
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void home_is_where_it_goes_by_itself() throws IOException {
    ProcessBuilder builder = builder(SOURCES, "install", "--prefix=~/.local");
    builder.environment().put("UNSEEN_JAVA_OPTS", "-Duser.home=" + dir);
    assertThat(Run.of(NOTHING, builder).exitCode()).isZero();
    assertThat(dir.resolve(".local/bin/unseen")).isSymbolicLink().isExecutable();
  }

  @Test
  void a_page_is_shown_by_man_on_a_terminal() throws IOException {
    Path man = Files.writeString(dir.resolve("man"), "#!/bin/sh\nhead -1 \"$1\"\n");
    Files.setPosixFilePermissions(man, PosixFilePermissions.fromString("rwxr-xr-x"));
    ProcessBuilder builder = builder(SOURCES, "man", "plan");
    builder.environment().merge("PATH", dir.toString(), (path, first) -> first + ":" + path);
    builder.environment().put("UNSEEN_JAVA_OPTS", "-Dunseen.output.terminal=true");
    assertThat(Run.of(NOTHING, builder).text()).startsWith(".TH UNSEEN-PLAN 1").hasLineCount(1);
    Files.write(man, "#!/bin/sh\nexit 9\n".getBytes(UTF_8));
    assertThat(Run.of(NOTHING, builder).text()).contains(".SH OPTIONS");
  }
}
