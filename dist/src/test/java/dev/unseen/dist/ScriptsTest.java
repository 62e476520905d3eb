package dev.unseen.dist;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The scripts of the tree, as far as they can be judged without being run. */
class ScriptsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("..").toAbsolutePath().normalize();

  /** What bash 3.2, which macOS has, does not know. Shellcheck does not look for it. */
  private static final Pattern NEWER_BASH =
      Pattern.compile(
          "declare -[aAgn]*[Agn]|local -n|mapfile|readarray|coproc|&>>|\\|&|;;&|;&|wait"
              + " -n|\\$\\{\\w+(\\[[@*0-9]\\])?(\\^|,|@[A-Za-z])|\\[\\[? -v |exec"
              + " \\{|globstar|EPOCH|BASHPID");

  /** What only GNU's tools know. */
  private static final Pattern GNU_ONLY =
      Pattern.compile(
          "-quit|stat -c|sed -[iE]|sed .*\\\\[+?|]|date -d|grep -P|xargs -r|sort -V|tac |seq ");

  private static List<Path> scripts() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 3)) {
      return files
          .filter(file -> !file.toString().matches(".*/(target|\\.git|node_modules)(/.*)?"))
          .filter(ScriptsTest::isScript)
          .sorted()
          .toList();
    }
  }

  private static boolean isScript(Path file) {
    if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
      return false;
    }
    try (Stream<String> lines = Files.lines(file, ISO_8859_1)) {
      return lines.findFirst().orElse("").matches("#!/(usr/bin/env |bin/)(bash|sh)");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shellcheck_has_nothing_to_say() throws IOException {
    assumeTrue(
        Ran.of("", "bash", "-c", "command -v shellcheck").exitCode() == 0,
        "no shellcheck here (Debian: apt-get install shellcheck)");
    List<Path> scripts = scripts();
    assertThat(scripts)
        .contains(ROOT.resolve("unseen"), ROOT.resolve(".ci/run"), ROOT.resolve("dist/build"));
    ProcessBuilder builder = Ran.command("shellcheck", "--severity=warning", "-x");
    scripts.forEach(script -> builder.command().add(script.toString()));
    Ran ran = Ran.of("", builder);
    assertThat(ran.stdout()).isEmpty();
    assertThat(ran.exitCode()).isZero();
  }

  @Test
  void the_launcher_needs_no_newer_bash_than_macos_has_and_no_tool_of_gnu() throws IOException {
    List<String> code =
        Files.readAllLines(ROOT.resolve("unseen")).stream()
            .map(line -> line.replaceFirst("(^|\\s)#.*", ""))
            .toList();
    assertThat(code)
        .noneMatch(line -> NEWER_BASH.matcher(line).find())
        .noneMatch(line -> GNU_ONLY.matcher(line).find());
  }

  /** It cannot be run here. */
  @Test
  void the_batch_file_has_windows_line_ends_and_the_doors_of_the_launcher() throws IOException {
    String batch = Files.readString(ROOT.resolve("dist/unseen.bat"));
    assertThat(batch).endsWith("\r\n").doesNotContainPattern("[^\r]\n");
    assertThat(batch).contains("in (flink kafka serve lab)");
    for (String label : List.of("find", "door", "add", "found", "run")) {
      assertThat(batch).contains("goto " + label, "\r\n:" + label + "\r\n");
    }
  }
}
