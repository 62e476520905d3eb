package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import dev.unseen.testing.TimedStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records that have a time of their own, in whatever order they come. */
class EventTimeTest {
  private static final long START = 1_700_000_000_000L;
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;

  @TempDir Path dir;

  private static Run run(String input, String options) {
    List<String> args = new ArrayList<>(List.of("-f", "csv", "-k", "2", "--time", "3"));
    args.addAll(List.of(options.split(" ")));
    return Run.here(input.getBytes(UTF_8), args.toArray(String[]::new));
  }

  private static String line(Object id, Object key, long millis) {
    return "%s,%s,%d\n".formatted(id, key, millis);
  }

  @Property(tries = 15)
  void agrees_with_an_exact_model_in_any_order(Choices choices) {
    TimedStream stream = TimedStream.drawn(choices, START);
    StringBuilder input = new StringBuilder();
    stream.records().forEach(r -> input.append(line(r.id(), r.key(), r.millis())));
    String options =
        "-q -m 256K --max-fpr 1e-6 --seed 5 --window %dms --max-lateness %dms %s"
            .formatted(
                stream.window(),
                stream.lateness(),
                stream.refreshes() ? "--refresh" : "--no-refresh");
    Run run = run(input.toString(), options);
    assertThat(run.exitCode()).as(run.stderr()).isZero();
    Set<String> admitted =
        run.text().lines().map(line -> line.split(",", 2)[0]).collect(Collectors.toSet());
    stream.check(record -> admitted.contains(Integer.toString(record.id())));
  }

  /** Two days of a log; keys come again within minutes, and the next day. */
  private Path day(int day) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      lines.append(line(i, i % 1000 + i / 2000 * 1000, START + day * DAY + i * DAY / 3000));
    }
    return Files.writeString(dir.resolve("day" + day), lines);
  }

  @Test
  void files_with_the_newer_one_first_lose_nothing_and_the_remedy_is_named() throws IOException {
    String window = "-c --window 9h ";
    String inOrder = run("", window + day(0) + " " + day(1)).text();
    Run newerFirst = run("", window + day(1) + " " + day(0));
    assertThat(newerFirst.exitCode()).isZero();
    assertThat(Integer.parseInt(newerFirst.text().strip()))
        .isGreaterThan(Integer.parseInt(inOrder.strip()));
    assertThat(newerFirst.stderr())
        .contains("records too late to check, passed unchecked")
        .contains("give the older file first, or use --max-lateness 2d");
    Run enough = run("", window + "--max-lateness 2d " + day(1) + " " + day(0));
    assertThat(enough.text()).isEqualTo(inOrder);
    assertThat(enough.stderr()).doesNotContain("too late");
  }

  private static final String LATE_INPUT =
      line(1, "b", START + 3 * DAY)
          + line(2, "b", START + 3 * DAY)
          + line(3, "a", START)
          + line(4, "c", START + 3 * DAY - HOUR / 2);

  @Test
  void records_that_are_too_late_are_left_out_and_kept_if_asked_for() {
    Path rejects = dir.resolve("rejects");
    Path duplicates = dir.resolve("duplicates");
    String options =
        "--window 1h --late drop --rejects-to " + rejects + " --duplicates-to " + duplicates;
    Run run = run(LATE_INPUT, options);
    assertThat(run.exitCode()).isZero();
    assertThat(run.text())
        .isEqualTo(line(1, "b", START + 3 * DAY) + line(4, "c", START + 3 * DAY - HOUR / 2));
    assertThat(rejects).hasContent(line(3, "a", START));
    assertThat(duplicates).hasContent(line(2, "b", START + 3 * DAY));
    assertThat(run.stderr())
        .contains("3 records, 2 new, 1 duplicate")
        .contains("1 record too late to check, dropped")
        .contains("--max-lateness 3d");
    assertThat(run(LATE_INPUT, "-q --window 1h --late admit").text())
        .isEqualTo(LATE_INPUT.replace(line(2, "b", START + 3 * DAY), ""));
  }

  @Test
  void a_record_that_is_too_late_ends_the_run_if_asked_for() throws IOException {
    Path first = Files.writeString(dir.resolve("new.csv"), line(0, "x", START + 2 * DAY));
    Path second = Files.writeString(dir.resolve("old.csv"), LATE_INPUT);
    Path output = Files.writeString(dir.resolve("out"), "older\n");
    Path state = dir.resolve("state");
    String files = " " + first + " " + second;
    Run run = run("", "-q --window 1h --late fail" + files);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).isEqualTo(line(0, "x", START + 2 * DAY) + line(1, "b", START + 3 * DAY));
    assertThat(run.stderr())
        .isEqualTo(
            "unseen: '"
                + second
                + "', line 3: the time of the record, 2023-11-14T22:13:20Z, is more than 1h before"
                + " the latest, 2023-11-17T22:13:20Z, so it cannot be checked; give the older file"
                + " first, or use --max-lateness 3d, or continue with --late admit or --late drop\n");
    run("", "-q --window 1h --late fail -o " + output + " --state " + state + files);
    assertThat(output).hasContent("older\n");
    assertThat(state).doesNotExist();
  }

  @Test
  void a_time_too_far_in_the_future_follows_the_same_rule() {
    long future = System.currentTimeMillis() + 30 * DAY;
    String input = line(1, "a", START) + line(2, "b", future) + line(3, "b", START);
    assertThat(run(input, "-q --window 1h").text()).isEqualTo(input);
    Run dropped = run(input, "--window 1h --late drop");
    assertThat(dropped.text()).isEqualTo(line(1, "a", START) + line(3, "b", START));
    assertThat(dropped.stderr())
        .contains("1 record with a time too far in the future")
        .doesNotContain("too late");
    Run failed = run(input, "-q --window 1h --late fail");
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.stderr()).contains("stdin, line 2: ").contains("--max-time-ahead");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-f csv -k 1 --late drop | --late needs --time, the field that has the time",
        "-f csv -k 1 --time 2 --window 1h --late maybe | late 'maybe' is unknown; known: admit, drop, fail",
        "-f csv -k 1 --time 2 --window 1h --rejects-to x | --rejects-to needs --on-error skip or --late drop",
      })
  void what_cannot_be_is_rejected(String args, String message) {
    Run run = Run.here("a,1\n".getBytes(UTF_8), args.strip().split(" "));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.stderr()).contains(message.strip());
  }
}
