package dev.unseen.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of a document that is generated from the code. A test generates it, and fails if the
 * document has another one; with {@code -Ddocs.write=true} it writes it into the document instead.
 */
public final class GeneratedTable {
  private GeneratedTable() {}

  /**
   * Fails if the table of a document differs.
   *
   * @param document in which the table is, known by its first row
   * @param rows all rows, with the one of the column names and the one below it
   */
  public static void check(Path document, List<String> rows) throws IOException {
    List<String> lines = Files.readAllLines(document);
    int from = lines.indexOf(rows.get(0));
    if (from < 0) {
      throw new AssertionError(
          "%s has no table that begins with this row:%n%s".formatted(document, rows.get(0)));
    }
    int to = from;
    while (to < lines.size() && lines.get(to).startsWith("|")) {
      to++;
    }
    if (lines.subList(from, to).equals(rows)) {
      return;
    }
    if (!Boolean.getBoolean("docs.write")) {
      throw new AssertionError(
          "the table of %s is not that of the code; run this test with -Ddocs.write=true, or write:%n%s"
              .formatted(document, String.join("\n", rows)));
    }
    List<String> written = new ArrayList<>(lines.subList(0, from));
    written.addAll(rows);
    written.addAll(lines.subList(to, lines.size()));
    Files.write(document, written);
  }
}
