package dev.unseen.cli;

import dev.unseen.io.CutSpec;
import dev.unseen.io.KeySpec;
import dev.unseen.io.Normal;
import dev.unseen.io.RecordFormat;
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
  /** What to do with a record that has no key. */
  enum OnError {
    FAIL,
    PASS,
    SKIP
  }

  /** The same files, or stdin if none is named. */
  DedupOptions {
    files = files.isEmpty() ? List.of(Input.STDIN) : List.copyOf(files);
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
    String file = get("--output", Input.STDIN);
    return file.equals(Input.STDIN) ? null : file;
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

  /** What to do with a record that has no key. */
  OnError onError() throws Failure {
    return switch (oneOf("--on-error", "fail", "fail", "pass", "skip")) {
      case "pass" -> OnError.PASS;
      case "skip" -> OnError.SKIP;
      default -> OnError.FAIL;
    };
  }

  /** The threads that work: one, or two where there are as many processors. */
  int threads() throws Failure {
    String text = get("--threads", null);
    if (text == null) {
      return Math.min(2, Runtime.getRuntime().availableProcessors());
    }
    try {
      int threads = Integer.parseInt(text);
      if (threads >= 1) {
        return Math.min(2, threads);
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw Failure.usage("threads (%s) must be a number from 1 on".formatted(text), null);
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

  /** How files are cut into records, and what their keys are. */
  CutSpec cuts() throws Failure {
    if (!has("--key") && !has("--separator") && !has("--header") && !has("--no-header")) {
      return new CutSpec(KeySpec.WHOLE_RECORD, '\0', has("--zero-terminated"), normal());
    }
    try {
      KeySpec key = has("--key") ? KeySpec.of(keyAndTime()) : KeySpec.WHOLE_RECORD;
      if (has("--header") || has("--no-header")) {
        key = key.withHeader(has("--header"));
      }
      return new CutSpec(key, separator(), has("--zero-terminated"), normal());
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage(), e);
    }
  }

  /** What makes two records the same, in words. */
  String keyInWords() {
    return (has("--key") ? "key " + get("--key", "") : "the whole record")
        + (has("--ignore-case") ? ", case ignored" : "")
        + (has("--trim") ? ", trimmed" : "");
  }

  /**
   * Whether records have a time of their own: it is then the last part of what is read as the key.
   */
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

  private String keyAndTime() throws Failure {
    return hasTime() ? get("--key", "") + "," + get("--time", "") : get("--key", "");
  }

  private Normal normal() {
    return new Normal(has("--ignore-case"), has("--trim"));
  }

  private char separator() {
    String text = get("--separator", "\0");
    if (text.equals("\\t")) {
      return '\t';
    }
    if (text.length() != 1) {
      throw new IllegalArgumentException(
          "separator '%s' must be one ASCII character, or \\t".formatted(text));
    }
    return text.charAt(0);
  }

  /** The format of a file: as asked for, or guessed from its name. */
  RecordFormat format(String file) throws Failure {
    String id = get("--format", null);
    try {
      RecordFormat format = id == null ? guess(file) : RecordFormat.of(id);
      cuts().check(format);
      return format;
    } catch (IllegalArgumentException e) {
      String guess =
          id == null && guess(file) == RecordFormat.LINES
              ? ", as is guessed of %s; name it with --format".formatted(Input.nameOf(file))
              : "";
      throw Failure.usage(e.getMessage() + guess, e);
    }
  }

  private RecordFormat guess(String file) {
    RecordFormat format = RecordFormat.guess(file);
    boolean columns = has("--separator") || has("--header");
    return format == RecordFormat.LINES && columns ? RecordFormat.CSV : format;
  }
}
