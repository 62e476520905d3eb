package dev.unseen.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.draw.Drawing;
import dev.unseen.draw.Palette;
import dev.unseen.draw.SvgWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The chart of the README is that of the measured figures. With {@code -Ddocs.write=true} it is
 * drawn again.
 */
final class FrontChartTest {
  private static final Path DOCS = SiteTest.ROOT.resolve("docs");
  private static final int WIDTH = 760;
  private static final double LEFT = 290;
  private static final double LONGEST = 390;
  private static final double ROW = 30;
  private static final double KEYS_IN_FLINK = 5e6; // half of the records are duplicates
  private static final double RECORDS_IN_FLINK = 1e7;

  private final Drawing drawing = new Drawing(WIDTH, 420);
  private double y = 34;

  private static List<String[]> rows(String file) throws IOException {
    return Files.readAllLines(DOCS.resolve(file)).stream()
        .map(line -> line.split(",", -1))
        .toList();
  }

  private static double flink(String way, int column) throws IOException {
    return rows("flink/bench-10m.csv").stream()
        .filter(row -> row[0].equals(way))
        .mapToDouble(row -> Double.parseDouble(row[column]))
        .findFirst()
        .orElseThrow();
  }

  private static double cpuMicros(String way) throws IOException {
    return (flink(way, 2) - flink("pass-through", 2)) / RECORDS_IN_FLINK * 1e6;
  }

  private static double server(String server, String command, int column) throws IOException {
    double[] runs =
        rows("server/bench.csv").stream()
            .filter(row -> row[0].equals(server) && row[1].equals(command))
            .mapToDouble(row -> Double.parseDouble(row[column]))
            .sorted()
            .toArray();
    return runs[runs.length / 2];
  }

  private static double bytesPerKey() throws IOException {
    return rows("sizing/sizing.csv").stream()
        .filter(row -> row[0].equals("1.0E-4") && row[1].equals("true") && row[3].equals("true"))
        .mapToDouble(row -> Double.parseDouble(row[2]))
        .findFirst()
        .orElseThrow();
  }

  private void title(String text, String remark) {
    drawing.add(new Drawing.Text(20, y, text, 18, Drawing.Anchor.START, Palette.INK, true, false));
    drawing.text(20, y + 20, remark, 14, Drawing.Anchor.START, Palette.MUTED);
    y += 34;
  }

  private void bar(String name, double value, double largest, boolean ours) {
    String color = ours ? Palette.BLUE : "#9aa3ad";
    double length = Math.max(3, LONGEST * value / largest);
    drawing.text(LEFT - 10, y + 18, name, 15, Drawing.Anchor.END, Palette.INK);
    drawing.add(new Drawing.Box(LEFT, y + 3, length, ROW - 9, color));
    String number = String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    drawing.add(
        new Drawing.Text(
            LEFT + length + 8, y + 18, number, 15, Drawing.Anchor.START, Palette.INK, ours, false));
    y += ROW;
  }

  private String chart() throws IOException {
    drawing.add(new Drawing.Box(0, 0, WIDTH, drawing.height(), Palette.BACKGROUND));
    double redis = server("redis", "bytes a key of SET NX EX", 2);
    title(
        "Bytes per key", "for keys that are known for a window of time; in Flink: in a checkpoint");
    bar("Unseen", bytesPerKey(), redis, true);
    bar("RocksDB state in Flink", flink("value-state-rocksdb", 4) / KEYS_IN_FLINK, redis, false);
    bar("heap state in Flink", flink("value-state-heap", 4) / KEYS_IN_FLINK, redis, false);
    bar("Redis SET NX EX", redis, redis, false);
    y += 40;
    double rocks = cpuMicros("value-state-rocksdb");
    title(
        "Microseconds of CPU time per record",
        "in Flink: above a job that lets all records pass; servers: 64 requests in a pipeline");
    bar("Unseen in Flink", cpuMicros("unseen"), rocks, true);
    bar("heap state in Flink", cpuMicros("value-state-heap"), rocks, false);
    bar("RocksDB state in Flink", rocks, rocks, false);
    bar("Unseen server SET NX EX", server("unseen", "SET NX EX P64", 3), rocks, true);
    bar("Redis SET", server("redis", "SET P64", 3), rocks, false);
    return SvgWriter.write(drawing, "Bytes per key and CPU time per record: Unseen and others");
  }

  @Test
  void the_chart_of_the_readme_shows_what_was_measured() throws IOException {
    String chart = chart();
    Path file = DOCS.resolve("compare/front.svg");
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(file, chart, UTF_8);
    }
    assertThat(file).as("draw it again with -Ddocs.write=true").content(UTF_8).isEqualTo(chart);
  }
}
