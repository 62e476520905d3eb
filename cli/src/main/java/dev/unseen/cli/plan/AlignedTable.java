package dev.unseen.cli.plan;

import java.util.ArrayList;
import java.util.List;

/** Lays out rows in columns: the first column is aligned left, the others right. */
final class AlignedTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row. A cell beyond the header's columns is a remark, and takes no width. */
  AlignedTable row(String... cells) {
    return row(List.of(cells));
  }

  AlignedTable row(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] width = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < Math.min(columns, row.size()); i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(GAP);
        String cell = row.get(i);
        String padding = " ".repeat(i < columns ? width[i] - cell.length() : 0);
        line.append(i == 0 ? cell + padding : padding + cell);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
