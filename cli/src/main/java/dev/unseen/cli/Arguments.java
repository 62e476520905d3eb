package dev.unseen.cli;

import dev.unseen.filter.FilterKind;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What may stand on the command line.
 *
 * <p>Declared in code, not by annotations: picocli then needs no reflection, which takes 30 ms off
 * the start (100 to 70 ms for declaring and parsing, class data sharing on). The manual page and
 * the completions are made from the same declaration.
 */
final class Arguments {
  /** Options whose value is only taken with {@code =}, and what they mean without one. */
  private static final Map<String, String> BARE =
      Map.of("--stats", "--stats=text", "--progress", "--progress=auto");

  /** A command, and what it does. */
  record Example(String command, String says) {}

  static final List<String> CAVEAT =
      List.of(
          "It is approximate: now and then it drops a new record, or lets a duplicate",
          "through. More memory makes both rarer; the summary tells the chance to drop.");

  static final List<Example> EXAMPLES =
      List.of(
          new Example("printf 'a\\nb\\na\\n' | unseen", "prints a and b"),
          new Example("unseen -t : -k 7 /etc/passwd", "prints one user of each shell"),
          new Example(
              "printf '{\"id\":1}\\n{\"id\":\"1\"}\\n' | unseen -f jsonl -k id",
              "prints the first: numbers and strings compare by their text"),
          new Example(
              "unseen -m 256M --kind bloom /etc/passwd -o once.gz",
              "lets no duplicate through, and replaces once.gz when all is done"),
          new Example(
              "seq 99 | tr -d 1-8 | unseen --duplicates-to twice > once",
              "loses nothing: what is not in the one file is in the other"));

  static final List<String> ENDING =
      List.of(
          "Exit code: 0 done, or the reader of the output went away; 1 input or output",
          "failed; 2 wrong usage; 3 a state that cannot be used; 4 duplicates, with",
          "--fail-on-duplicate. USR1 prints the summary so far. Set UNSEEN_OPTS to options",
          "that every run takes, UNSEEN_JAVA_OPTS to give options to Java, and NO_COLOR to",
          "have messages without colours.");

  private static final String ONE_PASS = "one pass in memory that never grows cannot tell %s; use ";

  /** What other tools have and this one cannot have, with the way out. */
  private static final Map<String, String> REFUSED = refused();

  private Arguments() {}

  private static Map<String, String> refused() {
    String unique = ONE_PASS.formatted("which records never come again") + "sort FILE | uniq -u";
    String last =
        ONE_PASS.formatted("which record of a key is the last") + "tac FILE | unseen | tac";
    String counts = ONE_PASS.formatted("how often each key comes") + "sort FILE | uniq -c";
    return Map.of(
        "-u", unique,
        "--unique", unique,
        "--last", last,
        "--keep-last", last,
        "--counts", counts,
        "--count-keys", counts,
        "--group", counts);
  }

  /** What the user asks for; nothing if it was help or the version, which are then printed. */
  static Optional<DedupOptions> parse(String[] args, PrintWriter out) throws Failure {
    ParseResult line = parsed(args, out);
    return CommandLine.printHelpIfRequested(line) ? Optional.empty() : Optional.of(optionsOf(line));
  }

  private static ParseResult parsed(String[] args, PrintWriter out) throws Failure {
    CommandLine line =
        new CommandLine(spec())
            .setOut(out)
            .setExpandAtFiles(false) // @name is a file of that name
            .setOverwrittenOptionsAllowed(true); // the last one counts, so an alias can be amended
    try {
      return line.parseArgs(withValues(args));
    } catch (ParameterException e) {
      throw Failure.usage(inOurWords(e), e);
    }
  }

  /** So that {@code --stats FILE} does not take the file for its value. */
  private static String[] withValues(String[] args) {
    String[] all = args.clone();
    for (int i = 0; i < all.length && !all[i].equals("--"); i++) {
      all[i] = BARE.getOrDefault(all[i], all[i]);
    }
    return all;
  }

  private static String inOurWords(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      String option = unmatched.getUnmatched().get(0);
      if (REFUSED.containsKey(option)) {
        return option + ": " + REFUSED.get(option);
      }
    }
    return UsageText.of(e);
  }

  /** The declaration. */
  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("unseen").versionProvider(new Version());
    records(spec);
    outputs(spec);
    filter(spec);
    run(spec);
    spec.addPositional(
        PositionalParamSpec.builder()
            .paramLabel("FILE")
            .hidden(true) // the synopsis and the description say it
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("0..*")
            .build());
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis(
            "unseen [OPTIONS] [FILE...]",
            "       unseen plan ...      chooses a filter; see unseen plan --help",
            "       unseen inspect|merge STATE...   see unseen inspect --help",
            "       unseen lab COMMAND   measures filters; see unseen lab --help",
            "       unseen flink ...     runs a job of Apache Flink; see unseen flink --help")
        .description(
            "Lets each record through once, in order, in memory that never grows.",
            "Reads stdin if there is no FILE, or where FILE is -; unpacks compressed files.",
            "")
        .footer(footer());
    return spec;
  }

  private static String[] footer() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.addAll(CAVEAT);
    lines.addAll(List.of("", "Examples:"));
    for (Example example : EXAMPLES) {
      lines.add("  " + example.command());
      lines.add("      " + example.says());
    }
    lines.add("");
    lines.addAll(ENDING);
    return lines.toArray(String[]::new);
  }

  private static void records(CommandSpec spec) {
    spec.addOption(
            value("FIELDS", "-k", "--key")
                .description("Compare these fields: id,a.b[0] or 2,4-6,8-.")
                .build())
        .addOption(
            value("FORMAT", "-f", "--format")
                .completionCandidates(List.of("lines", "csv", "tsv", "jsonl", "json"))
                .description("lines, csv, tsv, jsonl or json. Default: by the name.")
                .build())
        .addOption(flag("--header").description("The first row names the columns.").build())
        .addOption(flag("--no-header").description("The first row is a record.").build())
        .addOption(
            value("SEP", "-t", "--separator")
                .description("Columns are parted by SEP; \\t is a tab.")
                .build())
        .addOption(flag("--blanks").description("Columns are parted by blanks, as in awk.").build())
        .addOption(
            value("CHAR", "--quote")
                .description("Quotes of columns, or none. Default: \" in CSV.")
                .build())
        .addOption(flag("-z", "--zero-terminated").description("NUL ends a line.").build())
        .addOption(
            flag("-i", "--ignore-case").description("Upper and lower case are one key.").build())
        .addOption(flag("--trim").description("Blanks around a key do not count.").build())
        .addOption(
            flag("--missing-as-null").description("A missing field is null, not an error.").build())
        .addOption(
            value("SIZE", "--max-record")
                .description("The longest record that is used. Default 64M.")
                .build())
        .addOption(
            value("WHAT", "--on-error")
                .completionCandidates(List.of("fail", "pass", "skip"))
                .description("fail, pass or skip if a record cannot be used.")
                .build());
  }

  private static void outputs(CommandSpec spec) {
    spec.addOption(flag("-d", "--duplicates").description("Print the duplicates instead.").build())
        .addOption(
            flag("--repeated")
                .description("Print one record of each key that comes again, when it first does.")
                .build())
        .addOption(
            value("FILE", "--duplicates-to").description("Print them too, to a file.").build())
        .addOption(
            value("FILE", "--rejects-to").description("Print skipped records to a file.").build())
        .addOption(
            value("FIELD", "--tag")
                .description(
                    "Print all, each marked new or duplicate: in a JSON field, a last CSV column, before a tab.")
                .build())
        .addOption(
            value("FILE", "-o", "--output")
                .description("Replaced when all is done; .gz .xz .zst .bz2 .lz4.")
                .build())
        .addOption(flag("-c", "--count").description("Print only how many they are.").build());
  }

  private static void filter(CommandSpec spec) {
    spec.addOption(
            value("SIZE", "-m", "--memory")
                .description(
                    "Memory of the filter, a hard cap. Default "
                        + FilterChoice.DEFAULT_MEMORY
                        + ".")
                .build())
        .addOption(
            value("E", "-p", "--max-fpr")
                .description("The most new records to lose. Default 1e-4.")
                .build())
        .addOption(
            value("SPAN", "--window")
                .description("Forget after 24h, or after 10M records.")
                .build())
        .addOption(
            value("FIELD", "--time").description("Of --window: the field with the time.").build())
        .addOption(
            value("SPAN", "--max-time-ahead")
                .description(
                    "Of --time: do not believe a time this far in the future. Default 24h.")
                .build())
        .addOption(flag("--refresh").description("A duplicate renews its key.").build())
        .addOption(flag("--no-refresh").description("It does not.").build())
        .addOption(
            value("KIND", "--kind")
                .completionCandidates(kinds())
                .description("The filter: " + String.join(", ", kinds()) + ".")
                .build())
        .addOption(
            value("Q", "--share").description("Of sampled: the share of keys it stores.").build())
        .addOption(
            value("N", "--hashes")
                .description("Places of a record in the filter. Default by kind.")
                .build())
        .addOption(
            value("HASH", "--hash")
                .completionCandidates(List.of("xxh3", "siphash"))
                .description(
                    "xxh3, or siphash against those who can watch what becomes of millions of keys.")
                .build())
        .addOption(
            value("N", "--seed")
                .description("Use this public seed, no secret: same input, same output, anywhere.")
                .build())
        .addOption(
            value("FILE", "--secret-file")
                .description("Read the secret from FILE, not from ~/.config/unseen/secret.")
                .build())
        .addOption(
            flag("--sharded")
                .description(
                    "Keep the filter in 128 shards, so that Flink can go on from its state.")
                .build());
  }

  private static void run(CommandSpec spec) {
    spec.addOption(
            value("FILE", "--state")
                .description("Go on from it if it is there; keep it up.")
                .build())
        .addOption(
            value("SPAN", "--save-every").description("How often, at least. Default 60s.").build())
        .addOption(
            value("1/N", "--audit").description("Measure the errors on 1/N of the keys.").build())
        .addOption(
            value("PORT", "--metrics-port").description("Serve /metrics for Prometheus.").build())
        .addOption(
            flag("--fail-on-duplicate")
                .description("Stop at the first duplicate, with exit code 4.")
                .build())
        .addOption(
            value("json", "--stats")
                .arity("0..1")
                .completionCandidates(List.of("text", "json"))
                .description("The summary on stderr, as JSON with --stats=json.")
                .build())
        .addOption(
            value("never", "--progress")
                .arity("0..1")
                .completionCandidates(List.of("auto", "never"))
                .description("The bar on a terminal; none with --progress=never.")
                .build())
        .addOption(flag("-q", "--quiet").description("No summary and no bar.").build())
        .addOption(
            value("N", "--threads")
                .description("1, or 2 to read while deciding. Default 2.")
                .build())
        .addOption(flag("-h", "--help").usageHelp(true).description("This text.").build())
        .addOption(flag("-V", "--version").versionHelp(true).description("Version.").build());
  }

  private static OptionSpec.Builder value(String label, String... names) {
    return OptionSpec.builder(names).type(String.class).paramLabel(label);
  }

  private static OptionSpec.Builder flag(String... names) {
    return OptionSpec.builder(names).type(boolean.class);
  }

  private static List<String> kinds() {
    return Stream.concat(
            Stream.of(FilterChoice.AUTO), Arrays.stream(FilterKind.values()).map(FilterKind::id))
        .toList();
  }

  private static DedupOptions optionsOf(ParseResult line) {
    Map<String, String> given = new HashMap<>();
    for (OptionSpec option : line.matchedOptions()) {
      Object value = option.getValue();
      given.put(option.longestName(), value instanceof String text ? text : "");
    }
    return new DedupOptions(given, line.matchedPositionalValue(0, List.of()));
  }
}
