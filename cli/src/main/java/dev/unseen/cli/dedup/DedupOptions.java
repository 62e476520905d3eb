package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.Source;
import java.util.List;

/**
 * The options of {@code unseen [OPTIONS] [FILE...]}, checked as far as possible before any file is
 * opened.
 *
 * @param files to read; {@code -} is stdin
 * @param records how they are read
 * @param guessesHeader whether the first row is a header because of the file names alone
 * @param filter what decides
 * @param outputs where records go
 * @param state what is kept for the next run
 * @param run how the run reports and works
 */
record DedupOptions(
    List<String> files,
    RecordOptions records,
    boolean guessesHeader,
    FilterChoice filter,
    OutputOptions outputs,
    StateOptions state,
    RunOptions run) {

  /**
   * How a run reports and works.
   *
   * @param quiet whether only the summary that was asked for is printed
   * @param summary whether a summary is printed at the end
   * @param json whether the summary is JSON
   * @param progress whether a progress bar may be shown
   * @param failsOnDuplicate whether the first duplicate ends the run
   * @param metricsPort where metrics are served; null: nowhere
   * @param threads the number of threads
   */
  record RunOptions(
      boolean quiet,
      boolean summary,
      boolean json,
      boolean progress,
      boolean failsOnDuplicate,
      String metricsPort,
      int threads) {
    private static final int MOST_THREADS = 64;

    static RunOptions of(GivenOptions given) {
      boolean quiet = given.isGiven("--quiet");
      return new RunOptions(
          quiet,
          !quiet || given.isGiven("--stats"),
          given.oneOf("--stats", "text", "json").equals("json"),
          given.oneOf("--progress", "auto", "never").equals("auto") && !quiet,
          given.isGiven("--fail-on-duplicate"),
          given.text("--metrics-port").orElse(null),
          given.number(
              "--threads",
              MOST_THREADS,
              Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()),
              "leave it out to use all processors"));
    }
  }

  /**
   * Checks the options that were given.
   *
   * @param names the files; none stands for stdin
   */
  static DedupOptions of(GivenOptions given, List<String> names) throws CliException {
    List<String> files = names.isEmpty() ? List.of(Source.STDIN) : List.copyOf(names);
    try {
      RunOptions run = RunOptions.of(given);
      OutputOptions outputs = OutputOptions.of(given);
      FileRoles.check(files, outputs, given.text("--state").orElse(null));
      RecordOptions unresolved = RecordOptions.of(given);
      RecordOptions records = unresolved.resolve(files);
      if (!records.format().isText()) {
        throw CliException.usage(
            "format %s has no text to print; choose lines, csv, tsv, jsonl or json"
                .formatted(records.format().id()),
            null);
      }
      return new DedupOptions(
          files,
          records,
          unresolved.takesFirstRowForHeader(files),
          FilterChoice.of(given),
          outputs,
          StateOptions.of(given),
          run);
    } catch (IllegalArgumentException e) {
      throw CliException.of(e);
    }
  }
}
