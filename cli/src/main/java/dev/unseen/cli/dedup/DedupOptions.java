package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.Source;
import java.time.Duration;
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
   * Where records go.
   *
   * @param path the file of the main output; null for stdout
   * @param selection which records the main output gets
   * @param count whether it gets only their number
   * @param duplicatesTo the file that gets the duplicates as well; null if there is none
   * @param rejectsTo the file that gets the records that are skipped; null if there is none
   */
  record OutputOptions(
      String path, Selection selection, boolean count, String duplicatesTo, String rejectsTo) {

    /** Which records the main output gets. */
    enum Selection {
      /** The first of each key. */
      FRESH,
      /** All others. */
      DUPLICATES,
      /** The second of each key. */
      REPEATED,
      /** All, each marked as new or duplicate. */
      ALL_TAGGED
    }

    static OutputOptions of(GivenOptions given) {
      boolean count = given.isGiven("--count");
      boolean duplicates = given.isGiven("--duplicates");
      boolean repeated = given.isGiven("--repeated");
      boolean tagged = given.isGiven("--tag");
      if (repeated && (tagged || duplicates)) {
        throw new IllegalArgumentException(
            "--repeated prints some of the duplicates; it goes neither with --tag nor with --duplicates");
      }
      if (tagged && (count || duplicates)) {
        throw new IllegalArgumentException(
            "--tag keeps all records; it goes neither with --count nor with --duplicates");
      }
      String rejectsTo = given.text("--rejects-to").orElse(null);
      if (rejectsTo != null
          && !given.text("--on-error").orElse("").equals("skip")
          && !given.text("--late").orElse("").equals("drop")) {
        throw new IllegalArgumentException(
            "--rejects-to needs --on-error skip or --late drop: it keeps the records that these leave out");
      }
      return new OutputOptions(
          given.text("--output").filter(path -> !path.equals(Source.STDIN)).orElse(null),
          tagged
              ? Selection.ALL_TAGGED
              : repeated ? Selection.REPEATED : duplicates ? Selection.DUPLICATES : Selection.FRESH,
          count,
          given.text("--duplicates-to").orElse(null),
          rejectsTo);
    }
  }

  /**
   * What a run keeps for the next one.
   *
   * @param path the file; null if nothing is kept
   * @param saveNanos how often it is saved, in nanoseconds
   */
  record StateOptions(String path, long saveNanos) {
    private static final Duration DEFAULT = Duration.ofSeconds(60);

    /** No run lasts as long, and a long cannot hold the nanoseconds of a longer time. */
    private static final Duration NEVER = Duration.ofDays(36_500);

    static StateOptions of(GivenOptions given) {
      String path = given.text("--state").orElse(null);
      for (String option : List.of("--save-every", "--sharded", "--grow")) {
        if (given.isGiven(option) && path == null) {
          throw new IllegalArgumentException(option + " needs --state, the file to save to");
        }
      }
      Duration every = given.duration("--save-every").orElse(DEFAULT);
      if (every.isZero()) {
        throw new IllegalArgumentException(
            "--save-every (%s) must be more than 0; leave it out to save every 60s"
                .formatted(given.text("--save-every").orElseThrow()));
      }
      return new StateOptions(path, every.compareTo(NEVER) < 0 ? every.toNanos() : Long.MAX_VALUE);
    }
  }

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
