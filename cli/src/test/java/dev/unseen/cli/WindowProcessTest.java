package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of the filter at the shell: windows, event time, rates, refresh. */
final class WindowProcessTest {
  private static Run run(String input, String... args) {
    return Run.here(input.getBytes(UTF_8), args);
  }

  private static String events(Object... idAndTime) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < idAndTime.length; i += 2) {
      lines.append("{\"id\":\"%s\",\"at\":\"%s\"}\n".formatted(idAndTime[i], idAndTime[i + 1]));
    }
    return lines.toString();
  }

  @Test
  void forgets_after_a_number_of_records() {
    StringBuilder input = new StringBuilder("a\n");
    for (int i = 0; i < 100; i++) {
      input.append(i).append('\n');
    }
    String all = input + "a\n";
    assertThat(run(all, "--window", "100").text()).isEqualTo(all);
    assertThat(run(all, "--window", "200").text()).isEqualTo(input.toString());
    assertThat(run(all).text()).isEqualTo(input.toString());
  }

  @Test
  void forgets_by_the_time_of_events_however_they_are_batched() {
    String input =
        events(
            "a",
            "2026-10-15T00:00:00Z",
            "b",
            "2026-10-15T10:00:00Z",
            "a",
            "2026-10-15T20:00:00Z",
            "b",
            "2026-10-16T10:30:00Z",
            "a",
            "2026-10-18T00:00:00Z");
    Run run = run(input, "-f", "jsonl", "-k", "id", "--window", "24h", "--time", "at");
    assertThat(run.text())
        .isEqualTo(
            events(
                "a",
                "2026-10-15T00:00:00Z",
                "b",
                "2026-10-15T10:00:00Z",
                "b",
                "2026-10-16T10:30:00Z",
                "a",
                "2026-10-18T00:00:00Z"));
    assertThat(run.stderr()).contains("recency filter, window 24h, 64 MiB");
  }

  @Test
  void times_in_csv_columns_are_not_part_of_the_key() {
    String input = "id,at\n1,1000\n1,1003\n2,1004\n1,9000\n";
    assertThat(run(input, "-f", "csv", "-k", "id", "--window", "1h", "--time", "at").text())
        .isEqualTo("id,at\n1,1000\n2,1004\n1,9000\n");
  }

  @Test
  void a_duplicate_renews_its_key_by_default() {
    String input = events("a", 0, "a", 40, "a", 80);
    String[] hour = {"-f", "jsonl", "-k", "id", "--window", "1m", "--time", "at"};
    assertThat(run(input, hour).text()).isEqualTo(events("a", 0));
    String[] never = {"-f", "jsonl", "-k", "id", "--window", "1m", "--time", "at", "--no-refresh"};
    assertThat(run(input, never).text()).isEqualTo(events("a", 0, "a", 80));
  }

  @Test
  void a_time_that_is_none_is_reported_or_passed_by() {
    String input = events("a", "1", "b", "noon", "a", "2");
    String[] args = {"-f", "jsonl", "-k", "id", "--window", "1h", "--time", "at"};
    Run failed = run(input, args);
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.text()).isEqualTo(events("a", "1"));
    assertThat(failed.stderr()).contains("stdin, line 2").contains("time 'noon' is neither");
    String[] skip = {
      "-f", "jsonl", "-k", "id", "--window", "1h", "--time", "at", "--on-error", "skip"
    };
    assertThat(run(input, skip).text()).isEqualTo(events("a", "1"));
  }

  @Test
  void memory_too_small_for_the_window_is_reported() {
    StringBuilder input = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      input.append(i).append('\n');
    }
    assertThat(run(input.toString(), "-m", "1K", "--window", "10K").stderr())
        .contains("of the window");
    assertThat(run(input.toString(), "-m", "1M", "--window", "10K").stderr())
        .doesNotContain("of the window");
  }

  @Test
  void keys_may_be_hashed_with_a_secret() {
    assertThat(run("a\nb\na\n", "-q", "--hash", "siphash", "--seed", "77").text())
        .isEqualTo("a\nb\n");
    Run unknown = run("a\n", "--hash", "md5");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.stderr()).contains("hash 'md5' is unknown; known: xxh3, siphash");
  }

  @Test
  void a_rate_is_kept_and_shown() {
    Run run = run("a\nb\na\n", "-p", "1e-6", "--stats=json");
    assertThat(run.text()).isEqualTo("a\nb\n");
    assertThat(run.stderr())
        .contains("\"kind\":\"recency\"")
        .contains("\"estimatedFnr\":0,")
        .contains("\"estimatedFpr\":");
    assertThat(run("a\nb\na\n", "-p", "0.1%", "-q").text()).isEqualTo("a\nb\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--window 24x | --window '24x' must be a time such as 90s",
        "--window 3 | --window (3 records) must be 8 to 576,460,752,303,423,487 records; leave --window out for no window",
        "--max-fpr 0.5 | max-fpr (0.5) must be 1e-9 to 0.01",
        "--max-fpr many | max-fpr 'many' must be a share from 0 to 1, such as 0.01, 1e-4 or 1%",
        "--kind bloom --max-fpr 1e-3 | --max-fpr (0.001) must be left out for bloom; it is only for kind recency",
        "--kind rlbsbf --window 1h | --window (1h) must be left out for rlbsbf; it is only for kind recency",
        "--time at --window 1h | --time needs --key",
        "-f jsonl -k id --time at | --time needs --window",
        "--window 1h --max-time-ahead 1h | --max-time-ahead needs --time, the field that has the time",
        "--save-every 5s | --save-every needs --state, the file to save to",
        "-f jsonl -k id --time at --window 1M | --time needs a window of time",
        "--share 2 --kind sampled | share '2' must be a share from 0 to 1",
      })
  void what_cannot_be_is_rejected(String args, String message) {
    Run run = run("a\n", args.strip().split(" "));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.text()).isEmpty();
    assertThat(run.stderr()).contains(message.strip()).doesNotContain("Exception");
  }

  /** Number 2 of what trial adoptions hit, at the shell. */
  @Test
  void one_time_far_in_the_future_does_not_move_the_window_and_is_reported() {
    StringBuilder input = new StringBuilder("{\"id\":\"bad\",\"at\":4102444800}\n");
    for (int i = 0; i < 2000; i++) {
      String line = "{\"id\":%d,\"at\":%d}\n".formatted(i % 1000, 1_700_000_000L + i);
      input.append(line).append(i == 500 ? "{\"id\":\"x\",\"at\":1700000000000000}\n" : "");
    }
    Run run = run(input.toString(), "-f", "jsonl", "-k", "id", "--window", "24h", "--time", "at");
    assertThat(run.text().lines()).hasSize(1002);
    assertThat(run.stderr())
        .contains("1 record with a time too far in the future")
        .contains("unseen: warning: 1 of 2,002 records had a time too far in the future");
    Run allowed =
        run(
            input.toString(),
            "-q",
            "-f",
            "jsonl",
            "-k",
            "id",
            "--window",
            "24h",
            "--time",
            "at",
            "--max-time-ahead",
            "50000d");
    assertThat(allowed.stderr()).isEmpty();
  }
}
