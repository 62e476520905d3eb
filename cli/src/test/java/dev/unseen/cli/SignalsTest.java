package dev.unseen.cli;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.unseen.cli.dedup.SlowDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What signals, a terminal and a reader that goes away do to a run. */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class SignalsTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({"INT,130,1", "INT,130,2", "TERM,143,1", "TERM,143,2", "HUP,129,2"})
  void end_an_idle_run_with_all_whole_records_written(String signal, int code, String threads)
      throws IOException {
    assumeFalse(isIgnored(signal), signal + " is ignored by what has started these tests");
    Process process = Run.command("--kind", "bloom", "--threads", threads).start();
    OutputStream in = process.getOutputStream();
    in.write("a\nb\na\nunfinis".getBytes(UTF_8));
    in.flush();
    assertThat(process.getInputStream().readNBytes(4)).isEqualTo("a\nb\n".getBytes(UTF_8));
    kill(process, signal);
    assertThat(Run.exitCode(process)).isEqualTo(code);
    assertThat(process.getInputStream().readAllBytes()).isEmpty();
    assertThat(new String(Run.readAll(process.getErrorStream()), UTF_8))
        .startsWith("unseen: 3 records, 2 new, 1 duplicate in ")
        .hasLineCount(2);
  }

  /** What a process ignores is ignored by those it starts: HUP by nohup, INT in the background. */
  private static boolean isIgnored(String signal) throws IOException {
    int number = Map.of("HUP", 1, "INT", 2, "TERM", 15).get(signal);
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
            .anyMatch(ignored -> (ignored >>> (number - 1)) % 2 == 1);
  }

  /** The numbers come in order, so that what is out must be the first of them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void end_a_busy_run_at_the_end_of_a_record(int seed) throws Exception {
    Path out = dir.resolve("out");
    Process process = Run.command("-q", "--kind", "bloom").redirectOutput(out.toFile()).start();
    Thread feeder =
        new Thread(
            () -> {
              try (OutputStream in = process.getOutputStream()) {
                for (int i = 0; true; i += 1000) {
                  in.write(numbers(i, i + 1000).getBytes(UTF_8));
                }
              } catch (IOException e) {
                // The command has ended: so shall we.
              }
            });
    feeder.start();
    await("some output").until(() -> Files.size(out) >= 100_000L * seed);
    kill(process, "TERM");
    assertThat(Run.exitCode(process)).isEqualTo(143);
    feeder.join();
    String written = Files.readString(out);
    int lines = (int) written.lines().count();
    assertThat(written).isEqualTo(numbers(0, lines));
  }

  @Test
  void leave_an_older_output_file_as_it_was() throws IOException {
    Path out = Files.writeString(dir.resolve("out"), "good\n");
    Process process = Run.command("-o", out.toString(), "--progress=never").start();
    OutputStream in = process.getOutputStream();
    in.write("a\n".getBytes(UTF_8));
    in.flush();
    await("the file that is written beside").until(() -> names().size() == 2);
    kill(process, "TERM"); // INT may be ignored by what has started these tests
    assertThat(Run.exitCode(process)).isEqualTo(143);
    assertThat(out).hasContent("good\n");
    assertThat(names()).containsExactly("out");
  }

  @Test
  void usr1_asks_for_the_summary_in_the_middle_of_a_run() throws IOException {
    Process process = Run.command("--stats=json").start();
    BufferedReader stderr =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8));
    try (OutputStream in = process.getOutputStream()) {
      in.write("a\nb\na\n".getBytes(UTF_8));
      in.flush();
      assertThat(process.getInputStream().readNBytes(4)).isEqualTo("a\nb\n".getBytes(UTF_8));
      kill(process, "USR1");
      assertThat(stderr.readLine()).startsWith("{\"records\":3,\"fresh\":2,\"duplicates\":1,");
      in.write("c\n".getBytes(UTF_8));
    }
    assertThat(stderr.readLine()).startsWith("{\"records\":4,\"fresh\":3,\"duplicates\":1,");
    assertThat(stderr.readLine()).isNull();
    assertThat(Run.exitCode(process)).isZero();
  }

  @Test
  void term_in_a_slow_save_prints_what_it_waits_for() throws IOException {
    Path state = dir.resolve("state");
    ProcessBuilder builder =
        Run.command("-q", "--state", state.toString(), "-m", "1M", "--duplicates-to", dir + "/two");
    List<String> line = builder.command();
    line.set(line.indexOf("dev.unseen.cli.Main"), SlowDisk.class.getName());
    Process process = builder.start();
    OutputStream in = process.getOutputStream();
    in.write("a\nb\na\n".getBytes(UTF_8));
    in.flush();
    assertThat(process.getInputStream().readNBytes(4)).isEqualTo("a\nb\n".getBytes(UTF_8));
    kill(process, "TERM");
    assertThat(new String(Run.readAll(process.getErrorStream()), UTF_8))
        .isEqualTo(
            "unseen: waiting until everything is on the disk; if it is killed now, the state does not count the"
                + " last 3 records, and the next run may let these through again\n");
    assertThat(Run.exitCode(process)).isEqualTo(143);
    assertThat(dir.resolve("two")).hasContent("a");
    assertThat(Run.here("a\nb\nc\n".getBytes(UTF_8), "-q", "--state", state.toString()).text())
        .isEqualTo("c\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"two", "two.gz"})
  void term_keeps_the_duplicates_that_the_state_counts(String name) throws IOException {
    Path twice = dir.resolve(name);
    String[] args = {"-q", "--state", dir + "/state", "-m", "1M", "--duplicates-to", "" + twice};
    Process process = Run.command(args).start();
    OutputStream in = process.getOutputStream();
    in.write("a\na\nb\n".getBytes(UTF_8));
    in.flush();
    assertThat(process.getInputStream().readNBytes(4)).isEqualTo("a\nb\n".getBytes(UTF_8));
    kill(process, "TERM");
    assertThat(Run.exitCode(process)).isEqualTo(143);
    assertThat(Run.here("-q", twice.toString()).text()).isEqualTo("a\n");
  }

  /** Here the terminal is only said to be one; ProgressLineTest has a real one. */
  @Test
  void a_bar_comes_up_on_a_terminal_when_a_run_takes_its_time_and_goes_at_its_end()
      throws Exception {
    ProcessBuilder builder = Run.command("--kind", "bloom", "-");
    builder.command().add(1, "-Dunseen.terminal=true");
    String slow = slowly(builder, "MB");
    assertThat(slow).contains("unseen").contains("MB").contains("unseen: 12 records, 12 new");
    assertThat(slow.substring(slow.lastIndexOf('\r') + 1)).startsWith("unseen: 12 records");

    ProcessBuilder never = Run.command("-q", "--progress=never", "-");
    never.command().add(1, "-Dunseen.terminal=true");
    assertThat(slowly(never, "")).isEmpty();
  }

  /** Returns what is on stderr after a run that continues until this text appears. */
  private String slowly(ProcessBuilder builder, String text) throws Exception {
    Path err = Files.createTempFile(dir, "err", "");
    Process process = builder.redirectError(err.toFile()).start();
    try (OutputStream in = process.getOutputStream()) {
      for (int i = 0; i < 12; i++) {
        in.write((i + "\n").getBytes(UTF_8));
        in.flush();
        if (i == 0) { // it runs; before, a busy machine may need any time
          assertThat(process.getInputStream().readNBytes(2)).isEqualTo("0\n".getBytes(UTF_8));
        }
        Thread.sleep(150);
      }
      await("'%s' on stderr".formatted(text)).until(() -> Files.readString(err).contains(text));
    }
    assertThat(Run.exitCode(process)).isZero();
    assertThat(new String(Run.readAll(process.getInputStream()), UTF_8).lines()).hasSize(11);
    return Files.readString(err);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String numbers(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i).append('\n');
    }
    return text.toString();
  }

  private static void kill(Process process, String signal) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid())).inheritIO().start();
    assertThat(Run.exitCode(kill)).isZero();
  }
}
