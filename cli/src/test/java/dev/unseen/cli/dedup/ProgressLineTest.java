package dev.unseen.cli.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.cli.Run;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProgressLineTest {
  private static final String GREEN = "\u001B[32m";
  private static final String COLORS = "\u001B\\[[0-9]*m";

  @Test
  void fills_any_width_exactly_and_never_more() {
    for (long max : new long[] {-1, 425_000_000, 999_999_999_999L}) {
      for (int columns = 1; columns <= 200; columns++) {
        assertThat(line(max, columns).replaceAll(COLORS, "")).hasSize(columns);
      }
    }
  }

  @Test
  void leaves_out_first_what_matters_least() {
    assertThat(plain(79))
        .matches("unseen  20 % \\[=+> +\\] 85 of 425 MB, [0-9.]+ MB/s, 0:0\\d left");
    assertThat(plain(49)).matches("unseen  20 % \\[=+> +\\] [0-9.]+ MB/s, 0:0\\d left");
    assertThat(plain(35)).matches("unseen  20 % \\[=+> +\\] 0:0\\d left");
    assertThat(plain(19)).matches("unseen  20 % +");
    assertThat(line(-1, 79)).matches("unseen 85 MB, [0-9.]+ MB/s, 0:0\\d +");
    assertThat(line(-1, 14)).matches("unseen 85 MB +");
  }

  @Test
  void colors_the_bar_alone() {
    assertThat(line(425_000_000, 79)).matches("unseen  20 % \\[\u001B\\[32m=+>\u001B\\[0m +\\] .*");
  }

  private static String plain(int columns) {
    return line(425_000_000, columns).replaceAll(COLORS, "");
  }

  /** Returns what is drawn 2 seconds after the start, with 85 MB read. */
  private static String line(long max, int columns) {
    Last last = new Last(columns);
    try (ProgressBar bar =
        new ProgressBarBuilder()
            .setInitialMax(max)
            .setRenderer(new ProgressLine(max < 0 ? "" : GREEN))
            .setUpdateIntervalMillis(3_600_000)
            .startsFrom(0, Duration.ofSeconds(2))
            .setConsumer(last)
            .build()) {
      bar.stepTo(85_000_000);
      bar.refresh();
      return last.lines.get(last.lines.size() - 1);
    }
  }

  /** Keeps what is drawn. */
  private static final class Last implements ProgressBarConsumer {
    private final int columns;
    private final List<String> lines = new ArrayList<>();

    Last(int columns) {
      this.columns = columns;
    }

    @Override
    public int getMaxRenderedLength() {
      return columns;
    }

    @Override
    public void accept(String line) {
      lines.add(line);
    }

    @Override
    public void close() {}
  }

  /** In a terminal that the system provides, of which stty alone knows the width. */
  @ParameterizedTest
  @ValueSource(ints = {36, 50, 60, 120})
  void keeps_within_the_width_of_a_terminal(int columns, @TempDir Path directory) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script is not installed");
    ProcessBuilder command = Run.command("--kind", "bloom");
    command.command().add(1, "-Dunseen.terminal=true");
    String java =
        command.command().stream().map(ProgressLineTest::quoted).collect(Collectors.joining(" "));
    Path enough = directory.resolve("enough");
    String lines = "while [ ! -e %s ]; do echo line; sleep 0.1; done".formatted(enough);
    String both = "stty cols %d; (%s) | %s >/dev/null".formatted(columns, lines, java);
    command.command("script", "-qec", both, "/dev/null");
    command.environment().put("SHELL", "/bin/sh");
    Process process = command.redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(4, TimeUnit.MINUTES).execute(process::destroy);
    process.getOutputStream().close();
    StringBuilder shown = new StringBuilder();
    try (Reader terminal = new InputStreamReader(process.getInputStream(), UTF_8)) {
      for (int c = terminal.read(); c >= 0; c = terminal.read()) {
        shown.append((char) c);
        if (c == '\r' && updates(shown) >= 4 && !Files.exists(enough)) {
          Files.createFile(enough);
        }
      }
    }
    assertThat(Run.exitCode(process)).as(shown.toString()).isZero();
    String bar = shown.substring(0, shown.indexOf("unseen: ")).replaceAll(COLORS, "");
    assertThat(bar).doesNotContain("\n");
    assertThat(List.of(bar.split("\r", -1)))
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(columns))
        .anySatisfy(line -> assertThat(line).hasSize(columns - 1).startsWith("unseen 0 MB"));
  }

  @Test
  void a_warning_has_its_own_line(@TempDir Path directory) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script is not installed");
    ProcessBuilder command = Run.command("--memory", "16K");
    command.command().add(1, "-Dunseen.terminal=true");
    String java =
        command.command().stream().map(ProgressLineTest::quoted).collect(Collectors.joining(" "));
    Path shown = directory.resolve("shown");
    // The filter is full only once the bar is shown.
    String lines =
        "echo; until grep -q 'unseen 0' %s; do echo; sleep 0.1; done; seq 300000".formatted(shown);
    String both = "stty cols 80; (%s) | %s >/dev/null".formatted(lines, java);
    command.command("script", "-qefc", both, shown.toString());
    command.environment().put("SHELL", "/bin/sh");
    Run run = Run.of(new byte[0], command);
    assertThat(run.exitCode()).as(run.stderr()).isZero();
    assertThat(Files.readString(shown))
        .containsPattern("\r {79}\runseen: \\S*warning:\\S* the recency filter of 16 KiB ");
  }

  private static int updates(StringBuilder shown) {
    return shown.toString().split("unseen 0 MB", -1).length - 1;
  }

  private static String quoted(String argument) {
    return "'" + argument.replace("'", "'\\''") + "'";
  }
}
