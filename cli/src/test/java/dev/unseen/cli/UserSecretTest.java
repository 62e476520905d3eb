package dev.unseen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the secret comes from, and who sees it. */
final class UserSecretTest {
  private static final String SECRET = "00112233445566778899aabbccddeeff";

  @TempDir private Path dir;

  /** A run of somebody who has this home and no other settings. */
  private Run runAt(String home, String input, String... args) {
    ProcessBuilder command = Run.command(args).directory(dir.toFile());
    command.environment().keySet().removeAll(List.of("UNSEEN_SECRET", "XDG_CONFIG_HOME"));
    command.environment().put("HOME", home);
    command.environment().put("UNSEEN_OPTS", "-m 64K"); // small states
    return Run.of(input.getBytes(StandardCharsets.UTF_8), command);
  }

  private Run run(String input, String... args) {
    return runAt(dir.resolve("home").toString(), input, args);
  }

  /** A command on states, which needs no secret of anybody: those named are in the directory. */
  private Run onStates(String input, String command, String... states) {
    List<String> args = new ArrayList<>(List.of(command.split(" ")));
    for (String state : states) {
      args.add(dir.resolve(state).toString());
    }
    return Run.here(input.getBytes(StandardCharsets.UTF_8), args.toArray(String[]::new));
  }

  private Run merge(String... states) {
    return onStates("", "merge -o " + dir.resolve("both"), states);
  }

  @Test
  void the_first_run_makes_a_secret_for_its_owner_and_later_runs_agree() throws IOException {
    assertThat(run("a\nb\n", "-q", "--state", "one").exitCode()).isZero();
    Path file = dir.resolve("home/.config/unseen/secret");
    String secret = Files.readString(file);
    assertThat(secret).matches("[0-9a-f]{32}\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
    try (var files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
    run("b\nc\n", "-q", "--state", "two");
    assertThat(merge("one", "two").exitCode()).isZero();
    assertThat(onStates("a\nb\nc\nd\n", "-q --state", "both").text()).isEqualTo("d\n");
    assertThat(Files.readString(file)).isEqualTo(secret);
    String shown =
        onStates("", "inspect", "one").text() + onStates("", "inspect --json", "one").text();
    assertThat(shown)
        .contains("hash           xxh3, secret ")
        .doesNotContain(secret.substring(0, 16))
        .doesNotContain(secret.substring(16, 32));
  }

  @Test
  void first_runs_at_the_same_time_agree() {
    List<CompletableFuture<Run>> runs =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> run("a\n", "-q", "-m", "64K", "--state", "s" + i), Run.THREADS))
            .toList();
    runs.forEach(run -> assertThat(run.join().exitCode()).isZero());
    Run merged = merge("s0", "s1", "s2", "s3");
    assertThat(merged.exitCode()).as(merged.stderr()).isZero();
  }

  @Test
  void states_of_two_users_are_not_merged_and_the_error_says_why() {
    run("a\n", "-q", "--state", "mine");
    runAt(dir.resolve("other").toString(), "a\n", "-q", "--state", "theirs");
    Run merged = merge("mine", "theirs");
    assertThat(merged.exitCode()).isEqualTo(3);
    assertThat(merged.stderr()).contains("the filters differ in secret: ");
  }

  @Test
  void a_state_keeps_its_secret_wherever_it_goes() {
    run("a\nb\n", "-q", "--state", "s");
    Run moved = runAt(dir.resolve("other").toString(), "a\nc\n", "-q", "--state", "s");
    assertThat(moved.text()).isEqualTo("c\n");
  }

  @Test
  void a_secret_comes_from_a_file_or_the_environment() throws IOException {
    Files.writeString(dir.resolve("key"), SECRET + "\n");
    run("a\n", "-q", "--state", "file", "--secret-file", "key");
    ProcessBuilder command = Run.command("-q", "--state", "env").directory(dir.toFile());
    command.environment().put("UNSEEN_SECRET", SECRET);
    command.environment().put("UNSEEN_OPTS", "-m 64K");
    Run.of("b\n".getBytes(StandardCharsets.UTF_8), command);
    assertThat(merge("file", "env").exitCode()).isZero();
    assertThat(onStates("a\nb\n", "-q --state", "both").text()).isEmpty();
    assertThat(dir.resolve("home/.config/unseen/secret")).doesNotExist();
  }

  @Test
  void a_wrong_secret_is_rejected_and_not_shown() throws IOException {
    Files.writeString(dir.resolve("key"), "hunter2");
    Run run = run("a\n", "--secret-file", "key");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.stderr())
        .contains("key: secret (a text of 7 characters) must be 32 hexadecimal digits")
        .doesNotContain("hunter2");
    assertThat(onStates("a\n", "--secret-file", "nowhere").exitCode()).isEqualTo(1);
    Files.writeString(dir.resolve("key"), SECRET);
    Run both = onStates("a\n", "--seed 4 --secret-file", "key");
    assertThat(both.exitCode()).isEqualTo(2);
    assertThat(both.stderr()).contains("seed (4)").contains("leave one of them out");
  }

  @Test
  void another_secret_than_that_of_the_state_is_rejected() throws IOException {
    Files.writeString(dir.resolve("key"), SECRET);
    run("a\n", "-q", "--state", "s");
    Run run = run("a\n", "-q", "--state", "s", "--secret-file", "key");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.stderr()).contains("--secret-file: ").doesNotContain(SECRET);
  }

  /** No home, as in some containers: each run has a secret, and says so if that matters. */
  @Test
  void where_nothing_can_be_kept_a_run_has_a_secret_of_its_own() {
    Run run = runAt("/dev/null", "a\na\n", "-m", "64K");
    assertThat(run.text()).isEqualTo("a\n");
    assertThat(run.stderr()).doesNotContain("secret");
    assertThat(runAt("/dev/null", "a\n", "-m", "64K", "--state", "s").stderr())
        .contains("warning: your secret cannot be saved")
        .contains("--secret-file");
    assertThat(runAt("/dev/null", "a\nb\n", "-q", "--state", "s").text()).isEqualTo("b\n");
  }

  @Test
  void a_crafted_line_suppresses_nobody_unless_a_seed_is_asked_for() {
    String lines = "@/<8m'!G\nalice@example.com\n";
    assertThat(run(lines, "-q").text()).isEqualTo(lines);
    assertThat(run(lines, "-q", "--seed", "0").text()).isEqualTo("@/<8m'!G\n");
  }
}
