package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of a state change without forgetting. */
final class GrowTest {
  @TempDir Path directory;

  private String state;

  @BeforeEach
  void name() {
    state = directory.resolve("s.uns").toString();
  }

  private static Run run(String input, String... args) {
    return Run.here(input.getBytes(UTF_8), args);
  }

  private static String lines(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  @Test
  void more_memory_forgets_nothing() {
    run(lines(0, 10_000), "-q", "-m", "64K", "--state", state);
    Run rejected = run(lines(0, 10), "-m", "256K", "--state", state);
    assertThat(rejected.exitCode()).isEqualTo(3);
    assertThat(rejected.stderr())
        .contains("--memory: 65,536 and 262,144 bytes")
        .contains("or change them without forgetting any key with --grow");

    Run grown = run(lines(0, 12_000), "-m", "256K", "--state", state, "--grow");
    assertThat(grown.exitCode()).isZero();
    assertThat(grown.text()).isEqualTo(lines(10_000, 12_000));
    assertThat(grown.stderr())
        .contains("recency filter, 256 KiB")
        .contains("64 KiB with former options in use, too, for 8,000 more new keys");

    // The handover continues without the option, and all that is left is shown.
    Run inspected = run("", "inspect", state);
    assertThat(inspected.text())
        .contains("replaced       recency (drops at most 1 in 10,000), 64 KiB, ")
        .contains("handover       64 KiB with former options in use, too, for 8,000 more new keys");
    assertThat(run("", "inspect", "--json", state).text())
        .contains("\"predecessorBytes\" : 65536", "\"handoverLeft\" : 8000", "\"replacedAt\"");
    assertThat(run(lines(0, 12_000), "-q", "--state", state).text()).isEmpty();
    Run ended = run(lines(12_000, 20_001), "--state", state);
    assertThat(ended.text()).isEqualTo(lines(12_000, 20_001));
    assertThat(ended.stderr()).doesNotContain("former options");
  }

  @Test
  void windows_and_rates_change_too() {
    run(lines(0, 1000), "-q", "-m", "64K", "--window", "24h", "--state", state);
    String[] args = {
      "-q", "-m", "128K", "--window", "48h", "--max-fpr", "1e-6", "--state", state, "--grow"
    };
    assertThat(run(lines(0, 1001), args).text()).isEqualTo("1000\n");
  }

  @Test
  void states_of_other_sizes_are_merged() {
    String other = directory.resolve("t.uns").toString();
    String output = directory.resolve("u.uns").toString();
    run(lines(0, 1000), "-q", "-m", "64K", "--seed", "1", "--state", state);
    run(lines(1000, 2000), "-q", "-m", "32K", "--seed", "1", "--state", other);
    Run rejected = run("", "merge", state, other, "-o", output);
    assertThat(rejected.exitCode()).isEqualTo(3);
    assertThat(rejected.stderr()).contains("with --grow they need not be of equal size");
    Run merged = run("", "merge", state, other, "-o", output, "--grow");
    assertThat(merged.exitCode()).isZero();
    assertThat(merged.text()).contains("32 KiB with former options in use, too");
    assertThat(run(lines(0, 2001), "-q", "--state", output).text()).isEqualTo("2000\n");

    String secret = directory.resolve("v.uns").toString();
    run(lines(0, 10), "-q", "-m", "64K", "--seed", "2", "--state", secret);
    Run different = run("", "merge", state, secret, "-o", output, "--force", "--grow");
    assertThat(different.exitCode()).isEqualTo(3);
    assertThat(different.stderr()).contains("the states have different secrets or seeds");
  }

  @Test
  void the_secret_can_change() throws IOException {
    Path secret = directory.resolve("secret");
    Files.writeString(secret, "00112233445566778899aabbccddeeff\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    run(lines(0, 30_000), "-q", "-m", "1M", "--state", state);
    String[] changed = {
      "-q", "-m", "2M", "--secret-file", secret.toString(), "--state", state, "--grow"
    };
    assertThat(run(lines(0, 30_001), changed).text()).isEqualTo("30000\n");
    assertThat(run(lines(0, 30_002), "-q", "--state", state).text()).isEqualTo("30001\n");

    String csv = directory.resolve("csv.uns").toString();
    String rows =
        "id,time\n"
            + IntStream.range(0, 1000)
                .mapToObj(i -> i + ",2026-01-01T00:00:00Z\n")
                .collect(Collectors.joining());
    String[] timed = {
      "-q", "-f", "csv", "-k", "id", "--time", "time", "--window", "1h", "--state", csv
    };
    run(rows, timed);
    List<String> siphash = new ArrayList<>(List.of(timed));
    siphash.addAll(List.of("--hash", "siphash", "--grow"));
    assertThat(run(rows + "1000,2026-01-01T00:00:01Z\n", siphash.toArray(String[]::new)).text())
        .isEqualTo("id,time\n1000,2026-01-01T00:00:01Z\n");
  }

  @Test
  void what_cannot_change_is_rejected() {
    run(lines(0, 10), "-q", "-m", "64K", "--window", "1h", "--state", state);
    Run key = run("{\"id\":1}\n", "-f", "jsonl", "-k", "id", "--state", state, "--grow");
    assertThat(key.exitCode()).isEqualTo(3);
    assertThat(key.stderr()).contains("'key id' (bytes)").doesNotContain("with --grow");
    assertThat(run("", "--grow").stderr()).contains("--grow needs --state");
  }
}
