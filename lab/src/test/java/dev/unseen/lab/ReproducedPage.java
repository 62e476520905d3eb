package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The page of the reproduction in the docs, made again from the log of its finished runs. */
final class ReproducedPage {
  private static final Path RUNS = Path.of("..", "docs", "reproduction", "scale-10", "runs.jsonl");

  private ReproducedPage() {}

  static Path all(Path parent) throws IOException {
    return of(parent);
  }

  /** Returns the page of some tables, in a new directory. */
  static Path of(Path parent, String... tables) throws IOException {
    Path directory = Files.createTempDirectory(parent, "report");
    Files.copy(RUNS, directory.resolve("runs.jsonl"));
    List<String> args = new ArrayList<>(List.of("reproduce", "--scale", "10", "--seed", "1"));
    args.addAll(List.of("-o", directory.toString()));
    for (String table : tables) {
      args.addAll(List.of("--table", table));
    }
    StringWriter err = new StringWriter();
    int code =
        LabCommand.execute(
            new PrintWriter(new StringWriter()), new PrintWriter(err), args.toArray(String[]::new));
    assertThat(code).as(err.toString()).isZero();
    return directory.resolve("index.html");
  }
}
