package dev.unseen.cli;

import dev.unseen.io.RecordOptions;
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
  /** The same files, or stdin if none is named. */
  DedupOptions {
    files = files.isEmpty() ? List.of(Source.STDIN) : List.copyOf(files);
  }

  /** Whether an option was given. */
  boolean has(String option) {
    return given.containsKey(option);
  }

  /** The value of an option, or what it is if it was not given. */
  String get(String option, String otherwise) {
    return given.getOrDefault(option, otherwise);
  }

  /** The file to write to; null for stdout. */
  String output() {
    String file = get("--output", Source.STDIN);
    return file.equals(Source.STDIN) ? null : file;
  }

  /** The file for duplicates; null if nobody wants them. */
  String duplicatesTo() {
    return get("--duplicates-to", null);
  }

  /** The field that says what a record is; null if it is not wanted. */
  String tag() {
    return get("--tag", null);
  }

  /** Whether the summary is for machines. */
  boolean wantsJson() throws Failure {
    return oneOf("--stats", "text", "text", "json").equals("json");
  }

  /** Whether progress may be shown. */
  boolean wantsProgress() throws Failure {
    return oneOf("--progress", "auto", "auto", "never").equals("auto") && !has("--quiet");
  }

  /** The threads that work: one, or two where there are as many processors. */
  int threads() throws Failure {
    String text = get("--threads", null);
    if (text == null) {
      return Math.min(2, Runtime.getRuntime().availableProcessors());
    }
    try {
      int threads = Integer.parseInt(text);
      if (threads == 1 || threads == 2) {
        return threads;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw Failure.usage(
        "threads (%s) must be 1 or 2: one reads while the other decides".formatted(text), null);
  }

  private String oneOf(String option, String otherwise, String... values) throws Failure {
    String value = get(option, otherwise);
    if (!List.of(values).contains(value)) {
      throw Failure.usage(
          "%s '%s' is unknown; known: %s"
              .formatted(option.substring(2), value, String.join(", ", values)),
          null);
    }
    return value;
  }

  /** What is said of the records, and what the files say of it. */
  RecordOptions records() throws Failure {
    try {
      RecordOptions records = recordOptions().resolve(files);
      if (!records.format().isText()) {
        throw Failure.usage(
            "format %s is not text; known here: lines, csv, tsv, jsonl, json"
                .formatted(records.format().id()),
            null);
      }
      return records;
    } catch (IllegalArgumentException e) {
      throw Failure.of(e);
    }
  }

  /** Whether the first row is taken for a header because of the names of the files alone. */
  boolean guessesHeader() throws Failure {
    return recordOptions().takesFirstRowForHeader(files);
  }

  private RecordOptions recordOptions() {
    return RecordArguments.options(given);
  }

  /** The file for records that are left out; null if nobody wants them. */
  String rejectsTo() throws Failure {
    String file = get("--rejects-to", null);
    if (file != null && !get("--on-error", "").equals("skip")) {
      throw Failure.usage("--rejects-to keeps what is skipped; add --on-error skip", null);
    }
    return file;
  }

  /** What makes two records the same, in words. */
  String keyInWords() {
    return (has("--key") ? "key " + get("--key", "") : "the whole record")
        + (has("--ignore-case") ? ", case ignored" : "")
        + (has("--trim") ? ", trimmed" : "");
  }

  /** Whether records have a time of their own. */
  boolean hasTime() throws Failure {
    if (!has("--time")) {
      return false;
    }
    if (!has("--key")) {
      throw Failure.usage(
          "--time needs --key: records that differ in their time are not the same as a whole",
          null);
    }
    if (!has("--window")) {
      throw Failure.usage("--time needs --window, such as --window 24h", null);
    }
    return true;
  }
}
