package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.commands.RecordArguments;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.Source;
import java.util.List;
import java.util.Map;

/**
 * What {@code unseen [OPTIONS] [FILE...]} was given, by the long names of the options, and what it
 * means for reading and writing. What it means for the filter is told by {@link FilterChoice}.
 *
 * @param given the options and their values; flags have an empty one
 * @param files to read; {@code -} is stdin
 */
record DedupOptions(Map<String, String> given, List<String> files) {
  private static final int MOST_THREADS = 64;

  /** Reads stdin if no file is named. */
  DedupOptions {
    files = files.isEmpty() ? List.of(Source.STDIN) : List.copyOf(files);
  }

  /** Returns whether an option was given. */
  boolean has(String option) {
    return given.containsKey(option);
  }

  /** Returns the value of an option, or another value if the option was not given. */
  String get(String option, String otherwise) {
    return given.getOrDefault(option, otherwise);
  }

  /** Returns the file to write to; null for stdout. */
  String output() {
    String file = get("--output", Source.STDIN);
    return file.equals(Source.STDIN) ? null : file;
  }

  /** Returns the file for duplicates; null if there is none. */
  String duplicatesTo() {
    return get("--duplicates-to", null);
  }

  /** Returns the field that marks a record as new or duplicate; null if records are not marked. */
  String tag() {
    return get("--tag", null);
  }

  /** Returns whether the summary is printed as JSON. */
  boolean wantsJson() throws CliException {
    return oneOf("--stats", "text", "text", "json").equals("json");
  }

  /** Returns whether a progress bar may be shown. */
  boolean wantsProgress() throws CliException {
    return oneOf("--progress", "auto", "auto", "never").equals("auto") && !has("--quiet");
  }

  /** Returns how many threads work: as many as there are processors, unless the user says. */
  int threads() throws CliException {
    String text = get("--threads", null);
    if (text == null) {
      return Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    }
    try {
      int threads = Integer.parseInt(text);
      if (threads >= 1 && threads <= MOST_THREADS) {
        return threads;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw CliException.usage(
        "threads (%s) must be a number from 1 to %d; leave it out to use all processors"
            .formatted(text, MOST_THREADS),
        null);
  }

  private String oneOf(String option, String otherwise, String... values) throws CliException {
    String value = get(option, otherwise);
    if (!List.of(values).contains(value)) {
      throw CliException.usage(
          "%s '%s' is unknown; known: %s"
              .formatted(option.substring(2), value, String.join(", ", values)),
          null);
    }
    return value;
  }

  /** Returns how to read records, by the options and the names of the files. */
  RecordOptions records() throws CliException {
    try {
      RecordOptions records = recordOptions().resolve(files);
      if (!records.format().isText()) {
        throw CliException.usage(
            "format %s has no text to print; choose lines, csv, tsv, jsonl or json"
                .formatted(records.format().id()),
            null);
      }
      return records;
    } catch (IllegalArgumentException e) {
      throw CliException.of(e);
    }
  }

  /** Returns whether the first row is taken for a header because of the file names alone. */
  boolean guessesHeader() throws CliException {
    return recordOptions().takesFirstRowForHeader(files);
  }

  private RecordOptions recordOptions() {
    return RecordArguments.options(given);
  }

  /** Returns the file for records that are skipped; null if there is none. */
  String rejectsTo() throws CliException {
    String file = get("--rejects-to", null);
    if (file != null && !get("--on-error", "").equals("skip")) {
      throw CliException.usage(
          "--rejects-to needs --on-error skip: it keeps the records that are skipped", null);
    }
    return file;
  }

  /** Returns in words what is compared of two records. */
  String keyInWords() {
    return (has("--key") ? "key " + get("--key", "") : "the whole record")
        + (has("--ignore-case") ? ", case ignored" : "")
        + (has("--trim") ? ", trimmed" : "");
  }

  /** Returns whether each record has a time of its own. */
  boolean hasTime() throws CliException {
    if (!has("--time")) {
      if (has("--max-time-ahead")) {
        throw CliException.usage(
            "--max-time-ahead needs --time, the field that has the time", null);
      }
      if (has("--max-lateness")) {
        throw CliException.usage("--max-lateness needs --time, the field that has the time", null);
      }
      return false;
    }
    if (!has("--key")) {
      throw CliException.usage(
          "--time needs --key: records that differ in their time are not the same as a whole",
          null);
    }
    if (!has("--window")) {
      throw CliException.usage("--time needs --window, such as --window 24h", null);
    }
    return true;
  }
}
