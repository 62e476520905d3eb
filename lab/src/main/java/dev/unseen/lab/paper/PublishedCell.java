package dev.unseen.lab.paper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One cell of one of the paper's nine tables: two rates, in percent as they are printed.
 *
 * @param table the paper's own label of the table, such as {@code 1B:60distinct}
 * @param recordsName {@code 1B} or {@code 695M}
 * @param memoryMb in units of 2^20 bytes
 */
public record PublishedCell(
    String table,
    String recordsName,
    int distinctPercent,
    int memoryMb,
    String algorithm,
    int k,
    double fpr,
    double fnr) {

  /** Returns the number of records of the stream at full size. */
  public long records() {
    return switch (recordsName) {
      case "1B" -> 1_000_000_000L;
      case "695M" -> 695_000_000L;
      default -> throw new IllegalStateException("records '%s'".formatted(recordsName));
    };
  }

  /** Returns all 165 cells, in the paper's order. */
  public static List<PublishedCell> all() {
    try (BufferedReader csv =
        new BufferedReader(
            new InputStreamReader(
                PublishedCell.class.getResourceAsStream("/dev/unseen/lab/published.csv"),
                StandardCharsets.UTF_8))) {
      return csv.lines().skip(1).map(PublishedCell::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PublishedCell parse(String line) {
    String[] f = line.split(",", -1);
    return new PublishedCell(
        f[0],
        f[1],
        Integer.parseInt(f[2]),
        Integer.parseInt(f[3]),
        f[4],
        Integer.parseInt(f[5]),
        Double.parseDouble(f[6]),
        Double.parseDouble(f[7]));
  }

  /** Returns the name of the cell within its table. */
  public String name() {
    return "%s k=%d, %d MB".formatted(algorithm, k, memoryMb);
  }

  /** Returns the labels of the nine tables, in the paper's order. */
  public static List<String> tables() {
    return all().stream().map(PublishedCell::table).distinct().toList();
  }
}
