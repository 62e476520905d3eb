package dev.unseen.lab.output;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measured values as text, for a CSV file and for the console. */
public final class Table {
  private final String name;
  private final String title;
  private final List<List<String>> lines = new ArrayList<>();

  /**
   * Creates a table without rows.
   *
   * @param name the name of the file, without its suffix
   * @param columns the first line of the file
   */
  public Table(String name, String title, String columns) {
    this.name = name;
    this.title = title;
    add(columns.split(",", -1));
  }

  public void add(String... cells) {
    lines.add(List.of(cells));
  }

  public void add(List<String> cells) {
    lines.add(List.copyOf(cells));
  }

  /** Writes {@code NAME.csv} in this directory. */
  public void write(Path directory) throws IOException {
    StringBuilder csv = new StringBuilder();
    lines.forEach(line -> csv.append(String.join(",", line)).append('\n'));
    WholeFile.write(directory.resolve(name + ".csv"), csv.toString());
  }

  /** Prints the title and aligned columns. */
  public void print(PrintWriter out) {
    out.println(title);
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < line.size(); i++) {
        int column = i;
        int width = lines.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
        text.append(((i == 0 ? "  %-" : "  %") + width + "s").formatted(line.get(i)));
      }
      out.println(text.toString().stripTrailing());
    }
    out.println();
  }
}
