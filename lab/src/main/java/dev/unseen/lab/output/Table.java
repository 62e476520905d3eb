package dev.unseen.lab.output;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Measured values as text, for a CSV file and for the console.
 *
 * @param name the name of the file, without its suffix
 */
public record Table(String name, String title, List<String> columns, List<List<String>> rows) {
  /** Copies the lists. */
  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /** Writes {@code NAME.csv} in this directory. */
  public void write(Path directory) throws IOException {
    StringBuilder csv = new StringBuilder();
    for (List<String> row : all()) {
      csv.append(String.join(",", row)).append('\n');
    }
    WholeFile.write(directory.resolve(name + ".csv"), csv.toString());
  }

  /** Prints the title and aligned columns. */
  public void print(PrintWriter out) {
    out.println(title);
    int[] widths =
        IntStream.range(0, columns.size())
            .map(i -> all().stream().mapToInt(row -> row.get(i).length()).max().orElseThrow())
            .toArray();
    for (List<String> row : all()) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String format = i == 0 ? "  %-" : "  %";
        line.append((format + widths[i] + "s").formatted(row.get(i)));
      }
      out.println(line.toString().stripTrailing());
    }
    out.println();
  }

  private List<List<String>> all() {
    List<List<String>> all = new ArrayList<>(List.of(columns));
    all.addAll(rows);
    return all;
  }
}
