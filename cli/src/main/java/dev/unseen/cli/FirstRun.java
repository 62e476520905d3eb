package dev.unseen.cli;

import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Loads the classes that runs usually need, so that the launcher can make an archive of them: a run
 * of each format, one after the other in one process.
 */
final class FirstRun {
  private FirstRun() {}

  /**
   * Runs the command over two small files.
   *
   * @param args a file with a header and a column {@code id}, and one with a JSON object with
   *     {@code id}
   */
  public static void main(String[] args) {
    String[][] runs = {
      {"--memory", "1M", args[0], "--key", "id"},
      {"--memory", "1M", args[1], "--key", "id"},
      {"--memory", "1M", args[1], "--format", "lines"},
      {"--version"}
    };
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    int failed = 0;
    for (String[] run : runs) {
      failed |= Main.run(run, OutputStream.nullOutputStream(), nowhere);
    }
    System.exit(failed);
  }
}
