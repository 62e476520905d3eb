package dev.unseen.cli;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.unseen.Gate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that resume where another ended, and runs that measure themselves. */
final class StateProcessTest {
  @TempDir Path directory;

  private static Run run(String input, String... args) {
    return Run.here(input.getBytes(UTF_8), args);
  }

  private static Run process(String input, String... args) {
    return Run.of(input.getBytes(UTF_8), args);
  }

  private String state() {
    return directory.resolve("s.uns").toString();
  }

  private static String ids(int from, int to, int modulus) {
    return IntStream.range(from, to)
        .mapToObj(i -> "{\"id\":%d,\"n\":%d}\n".formatted(i % modulus, i))
        .collect(Collectors.joining());
  }

  /** Two runs are as one. */
  @Test
  void two_runs_with_a_state_are_as_one() {
    String first = ids(0, 5000, 3000);
    String second = ids(5000, 12_000, 7000);
    String[] args = {"-q", "-f", "jsonl", "-k", "id", "-m", "64K", "--state", state()};
    String apart = process(first, args).text() + process(second, args).text();
    String whole = run(first + second, "-q", "-f", "jsonl", "-k", "id", "-m", "64K").text();
    assertThat(apart).isEqualTo(whole);
    assertThat(directory.resolve("s.uns")).exists();
  }

  /** As the library writes one to move it: no run could answer for the keys of the other shards. */
  @Test
  void a_state_of_some_shards_only_is_rejected_before_the_first_record() throws IOException {
    Gate gate = Gate.builder().concurrent().memory(1 << 20).seed(0).build();
    try (OutputStream shard = Files.newOutputStream(Path.of(state()))) {
      gate.saveShard(5, shard);
    }
    Run run = run("a\nb\n", "--state", state());
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.text()).isEmpty();
    assertThat(run.stderr()).contains("the state holds the shards 5 of 128");
  }

  @Test
  void texts_of_a_state_do_not_steer_the_terminal_and_inspect_needs_no_room_for_the_filter()
      throws IOException {
    Gate gate = Gate.builder().memory(64 << 20).seed(0).build();
    gate.save(Path.of(state()), Map.of("note", "\u001b[2Jgone"));
    ProcessBuilder small = Run.command("inspect", state());
    small.command().replaceAll(arg -> arg.equals("-Xmx600m") ? "-Xmx32m" : arg);
    Run run = Run.of(new byte[0], small);
    assertThat(run.stderr()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.text()).contains("note = \\u001b[2Jgone").doesNotContain("\u001b");
  }

  @Test
  void a_state_is_resumed_whatever_its_filter_is() {
    run("a\nb\n", "-q", "--kind", "bloom", "-m", "1K", "--state", state());
    Run again = run("b\nc\n", "--state", state());
    assertThat(again.text()).isEqualTo("c\n");
    assertThat(again.stderr()).contains("bloom filter, 1 KiB");
  }

  @Test
  void a_state_of_another_filter_or_key_is_rejected() {
    run("a\n", "-q", "-m", "1K", "--state", state());
    Run filter = run("a\n", "-m", "2K", "--state", state());
    assertThat(filter.exitCode()).isEqualTo(3);
    assertThat(filter.stderr())
        .contains("the options differ from those that the state was saved with")
        .contains("memory: 1,024 and 2,048 bytes");
    Run key = run("{\"id\":1}\n", "-f", "jsonl", "-k", "id", "--state", state());
    assertThat(key.exitCode()).isEqualTo(3);
    assertThat(key.stderr()).contains("key: 'the whole record' (bytes) and 'key id' (bytes)");
    assertThat(filter.text() + key.text()).isEmpty();
  }

  @Test
  void a_damaged_state_is_rejected_and_left_alone() throws IOException {
    run("a\nb\n", "-q", "-m", "4K", "--state", state());
    byte[] bytes = Files.readAllBytes(Path.of(state()));
    bytes[bytes.length / 2] ^= 1;
    Files.write(Path.of(state()), bytes);
    Run run = run("c\n", "--state", state());
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.text()).isEmpty();
    assertThat(run.stderr()).contains("s.uns").doesNotContain("Exception");
    assertThat(Files.readAllBytes(Path.of(state()))).isEqualTo(bytes);
    Run inspected = run("", "inspect", state(), "--json");
    assertThat(inspected.exitCode()).isEqualTo(3);
  }

  @Test
  void several_states_are_shown_one_after_the_other_with_the_worst_exit_code() throws IOException {
    String second = directory.resolve("second.uns").toString();
    run("a\nb\n", "-q", "-m", "4K", "--state", state());
    run("a\n", "-q", "-m", "4K", "--state", second);
    Run both = run("", "inspect", state(), second);
    assertThat(both.stderr()).isEmpty();
    assertThat(both.exitCode()).isZero();
    assertThat(both.text())
        .startsWith("==> " + state() + " <==\nfile ")
        .contains("\n\n==> " + second + " <==\nfile ");

    String none = directory.resolve("none.uns").toString();
    String bad = Files.writeString(directory.resolve("bad.uns"), "no state").toString();
    Run json = run("", "inspect", "--json", state(), none, bad, second);
    List<String> integrity = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json.stdout())) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (parser.nextToken() != null) {
        if ("integrity".equals(parser.currentName())
            && parser.currentToken() == JsonToken.VALUE_STRING) {
          integrity.add(parser.getText());
        }
      }
    }
    assertThat(integrity).containsExactly("whole", "unreadable", "damaged", "whole");
    assertThat(json.stderr()).contains(none, bad).hasLineCount(2);
    assertThat(json.exitCode()).isEqualTo(3);
    assertThat(run("", "inspect", state(), none).exitCode()).isEqualTo(1);
  }

  @Test
  void a_state_that_cannot_exist_is_reported_as_text() {
    String nowhere = directory.resolve("none/s.uns").toString();
    Run run = run("a\n", "--state", nowhere);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.stderr())
        .isEqualTo(
            "unseen: cannot use the state %s: its directory does not exist; create it first\n",
            nowhere);
  }

  @Test
  void too_few_states_to_merge_are_reported_as_text() {
    for (String args : List.of("merge a", "merge -o c", "merge a -o c", "merge -o c a")) {
      assertThat(run("", args.split(" ")).stderr())
          .isEqualTo("unseen: FILE must be given at least 2 times; try 'unseen merge --help'\n");
    }
  }

  @Test
  void a_run_that_fails_leaves_the_state_before_it() throws IOException {
    String[] args = {"-q", "-f", "jsonl", "-k", "id", "--state", state(), "-m", "4K"};
    run("{\"id\":1}\n", args);
    byte[] before = Files.readAllBytes(Path.of(state()));
    assertThat(run("{\"id\":2}\n{\"x\":3}\n", args).exitCode()).isEqualTo(1);
    assertThat(Files.readAllBytes(Path.of(state()))).isEqualTo(before);
    assertThat(run("{\"id\":2}\n{\"id\":1}\n", args).text()).isEqualTo("{\"id\":2}\n");
  }

  /** A show of issue 16: the input is idle, and the run is killed before another record comes. */
  @Test
  void a_state_is_saved_while_no_record_comes() throws Exception {
    String[] args = {"-q", "--state", state(), "--save-every", "50ms", "-m", "1M"};
    Process process = Run.command(args).start();
    try {
      OutputStream input = process.getOutputStream();
      input.write("a\n".getBytes(UTF_8));
      input.flush();
      await("the state").until(() -> Files.exists(Path.of(state())));
      assertThat(process.getInputStream().readNBytes(2)).isEqualTo("a\n".getBytes(UTF_8));
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(run("a\nb\n", args).text()).isEqualTo("b\n");
  }

  @Test
  void an_idle_run_saves_once_for_what_came() throws Exception {
    Process process = Run.command("-q", "--state", state(), "--save-every", "20ms").start();
    try (OutputStream input = process.getOutputStream()) {
      input.write("a\n".getBytes(UTF_8));
      input.flush();
      await("the state").until(() -> Files.exists(Path.of(state())));
      Object first = Files.getAttribute(Path.of(state()), "unix:ino");
      Thread.sleep(500); // in which it could save some twenty times
      assertThat(Files.getAttribute(Path.of(state()), "unix:ino")).isEqualTo(first);
    }
    assertThat(Run.exitCode(process)).isZero();
  }

  @Test
  void errors_are_measured_and_shown_with_their_intervals() {
    StringBuilder input = new StringBuilder();
    for (int i = 0; i < 60_000; i++) {
      input.append(i % 40_000).append('\n');
    }
    String[] args = {"--kind", "rlbsbf", "-m", "16K", "--audit", "1/8", "--stats=json"};
    Run run = run(input.toString(), args);
    assertThat(run.stderr())
        .containsPattern(
            "\"auditedFpr\":0\\.\\d+,\"auditedFprLow\":0\\.\\d+,\"auditedFprHigh\":0\\.\\d+")
        .containsPattern(
            "\"auditedFnr\":0\\.\\d+,\"auditedFnrLow\":0\\.\\d+,\"auditedFnrHigh\":0\\.\\d+")
        .contains("\"auditedKeysOneIn\":8");
    assertThat(run(input.toString(), "-m", "16K", "--audit", "1/8").stderr())
        .contains("measured on 1 in 8 keys: ");
  }

  /** A show of issue 16. */
  @Test
  void evictions_are_reported_during_the_run_and_at_its_end_with_the_remedy() {
    String input =
        IntStream.rangeClosed(1, 400_000).mapToObj(i -> i + "\n").collect(Collectors.joining());
    Run run = run(input + "1\n", "-m", "128K", "-c");
    assertThat(run.stderr())
        .containsPattern(
            "warning: the recency filter of 128 KiB holds [0-9,]+ keys, and 4\\d,\\d{3} fit: ")
        .containsPattern(
            "\nunseen: evicted [0-9,]+ keys to make room; about 4\\d0,000 distinct keys came")
        .containsPattern("(at most|about) [0-9,]+ duplicates passed as new")
        .containsPattern("-m [0-9]+[KM] would evict at most 1 key in 20,000");
    String json = run(input, "-m", "128K", "-c", "--stats=json").stderr();
    assertThat(json)
        .containsPattern(
            "\"estimatedFnr\":null,\"estimatedFnrLow\":0,\"estimatedFnrHigh\":[0-9.]+,")
        .containsPattern("\"evictedEarly\":[1-9][0-9]+,");
    assertThat(run(input, "-m", "4M", "-c").stderr()).doesNotContain("evicted").hasLineCount(2);
  }

  /** A real process, asked by a real client while its input is still open. */
  @Test
  void figures_are_served_while_it_runs() throws Exception {
    Process process = Run.command("--metrics-port", "0", "--audit", "1/2").start();
    try {
      BufferedReader errors =
          new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8));
      String where = errors.readLine();
      assertThat(where).matches("unseen: metrics at http://localhost:\\d+/metrics");
      OutputStream input = process.getOutputStream();
      HttpClient client = HttpClient.newHttpClient();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(where.substring(where.indexOf("http")))).build();
      String body =
          await("the figures of two records")
              .until(
                  () -> {
                    input.write("a\nb\na\n".getBytes(UTF_8));
                    input.flush();
                    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
                  },
                  page -> page.contains("unseen_admitted_total 2\n"));
      assertThat(body)
          .contains("unseen_admitted_total 2\n")
          .contains("# TYPE unseen_duplicates_total counter")
          .contains("# TYPE unseen_load gauge")
          .contains("unseen_estimated_fpr ")
          .contains("unseen_audited_fpr_high ");
      input.close();
      assertThat(Run.exitCode(process)).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void a_port_that_is_none_is_rejected() {
    Run run = run("a\n", "--metrics-port", "http");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.stderr()).contains("--metrics-port 'http' must be a port, such as 9100");
  }

  @Test
  void an_audit_has_to_see_all_records() {
    run("a\n", "-q", "-m", "1K", "--state", state());
    Run late = run("a\n", "--audit", "1/2", "--state", state());
    assertThat(late.exitCode()).isEqualTo(3);
    assertThat(late.stderr()).contains("audit: one in 16 keys with 4096 bytes and one in 2 keys");
    assertThat(run("a\n", "--audit", "often").stderr()).contains("such as 1/1024");
    assertThat(run("a\n", "--state", state(), "--save-every", "soon").stderr())
        .contains("--save-every 'soon' must be a time, such as 500ms, 90s, 15m, 24h or 7d");
  }
}
