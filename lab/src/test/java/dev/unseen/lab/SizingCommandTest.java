package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.Capacity;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.testing.GeneratedTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command, and docs/sizing.md: its tables are those of the code, and its runs keep them. */
final class SizingCommandTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Window WINDOW = Window.time(Duration.ofDays(1));
  private static final Window LATE = WINDOW.withLateness(Duration.ofDays(1));
  private static final double DEFAULT_RATE = 1e-4;
  private static final int KEYS_PER_EVICTED = 20_000;
  private static final int MANY = 10_000_000;

  private static long memory(long keys, double maxFpr, Window window, int shards) {
    return Capacity.memoryFor(FilterKind.RECENCY, keys, maxFpr, window, shards);
  }

  private static String perKey(double maxFpr, Window window) {
    return String.format(Locale.ROOT, "%.1f", (double) memory(MANY, maxFpr, window, 1) / MANY);
  }

  /** Returns a size in decimal units, rounded up. */
  private static String size(long bytes) {
    long unit = bytes >= 1_000_000_000 ? 1_000_000_000 : bytes >= 1_000_000 ? 1_000_000 : 1000;
    double count = Math.ceil(10.0 * bytes / unit) / 10;
    String name = unit == 1000 ? "KB" : unit == 1_000_000 ? "MB" : "GB";
    String number =
        count >= 10
            ? Long.toString((long) Math.ceil(count))
            : String.format(Locale.ROOT, "%.1f", count);
    return number + " " + name;
  }

  @Test
  void the_page_has_the_bytes_per_key_of_the_code() throws IOException {
    List<String> rows =
        new ArrayList<>(
            List.of(
                "| a new record is dropped by mistake at most | without a window | with a window | with a window, and records that are late by a window |",
                "|---|---:|---:|---:|"));
    for (double rate : new double[] {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      String name = String.format(Locale.ROOT, "1 in %,d", Math.round(1 / rate));
      rows.add(
          "| %s | %s | %s | %s |"
              .formatted(
                  rate == DEFAULT_RATE ? "**" + name + "** (default)" : name,
                  perKey(rate, Window.NONE),
                  perKey(rate, WINDOW),
                  perKey(rate, LATE)));
    }
    GeneratedTable.check(DOCS.resolve("sizing.md"), rows);
  }

  @Test
  void the_page_has_the_memory_for_keys_of_the_code() throws IOException {
    List<String> rows =
        new ArrayList<>(
            List.of(
                "| keys at one time | without a window | with a window | with a window, in 128 shards |",
                "|---:|---:|---:|---:|"));
    for (long keys = 1000; keys <= 10_000_000_000L; keys *= 10) {
      rows.add(
          String.format(
              Locale.ROOT,
              "| %,d | %s | %s | %s |",
              keys,
              size(memory(keys, DEFAULT_RATE, Window.NONE, 1)),
              size(memory(keys, DEFAULT_RATE, WINDOW, 1)),
              size(memory(keys, DEFAULT_RATE, WINDOW, ShardedFilter.SHARDS))));
    }
    GeneratedTable.check(DOCS.resolve("sizing.md"), rows);
  }

  /** The runs of the chart were made with the sizes of the code, which keep their promise. */
  @Test
  void the_measured_sizes_are_those_of_the_code_and_evict_one_key_in_20_000_at_most()
      throws IOException {
    int derived = 0;
    for (String line : Files.readAllLines(DOCS.resolve("sizing/sizing.csv"))) {
      String[] cells = line.split(",", -1);
      if (cells[3].equals("true")) {
        derived++;
        Window window = cells[1].equals("true") ? WINDOW : Window.NONE;
        assertThat(Long.parseLong(cells[4]))
            .as(line)
            .isEqualTo(memory(400_000, Double.parseDouble(cells[0]), window, 1));
        assertThat(Long.parseLong(cells[6]) * KEYS_PER_EVICTED)
            .as(line)
            .isLessThanOrEqualTo(Long.parseLong(cells[5]));
      }
    }
    assertThat(derived).isEqualTo(2 * SizingRun.RATES.size());
  }

  /** With a tenth less memory the chart has 1 key in 30; keys and filters are always the same. */
  @Test
  void a_run_with_less_memory_evicts_as_many_as_the_chart_shows() {
    SizingRun run = SizingRun.of(DEFAULT_RATE, true, 0.9, 50_000, 3);
    assertThat(run.share()).isBetween(1 / 60.0, 1 / 15.0);
    assertThat(SizingRun.of(DEFAULT_RATE, true, 1, 50_000, 3).share()).isLessThan(1 / 20_000.0);
  }

  @Test
  void the_command_writes_a_table_and_a_chart(@TempDir Path directory) throws IOException {
    StringWriter err = new StringWriter();
    String[] args = {"sizing", "--keys", "1000", "--rounds", "1", "-o", directory.toString()};
    assertThat(LabCommand.execute(new PrintWriter(new StringWriter()), new PrintWriter(err), args))
        .isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(Files.readAllLines(directory.resolve("sizing.csv"))).hasSize(1 + 3 * 2 * 12);
    assertThat(directory.resolve("sizing.svg")).content().contains("bytes per key");
    args[2] = "1";
    assertThat(LabCommand.execute(new PrintWriter(new StringWriter()), new PrintWriter(err), args))
        .isEqualTo(2);
  }
}
