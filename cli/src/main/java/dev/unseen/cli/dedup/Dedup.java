package dev.unseen.cli.dedup;

import static dev.unseen.commands.GateArguments.declare;
import static dev.unseen.commands.RecordArguments.files;
import static dev.unseen.commands.RecordArguments.flag;
import static dev.unseen.commands.RecordArguments.group;
import static dev.unseen.commands.RecordArguments.help;
import static dev.unseen.commands.RecordArguments.value;
import static picocli.CommandLine.Model.UsageMessageSpec.keyValuesMap;

import dev.unseen.Option;
import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.RecordArguments;
import dev.unseen.commands.UsageText;
import dev.unseen.filter.FilterKind;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * {@code unseen [OPTIONS] [FILE...]}, the command that needs no name: declares its options and
 * reads them.
 *
 * <p>Options are declared in code, not by annotations: picocli then needs no reflection, which
 * saves 30 ms of startup (100 to 70 ms for declaring and parsing, class data sharing on).
 */
public final class Dedup {
  /** Options that take a value only after {@code =}, and what they mean without one. */
  private static final Map<String, String> BARE =
      Map.of("--stats", "--stats=text", "--progress", "--progress=auto");

  private static final GivenOptions NO_OPTIONS = new GivenOptions(Map.of());

  private static final String[] FOOTER = {
    "",
    "Examples:",
    "  unseen access.log > once.log",
    "  tail -f app.log | unseen --window 1h",
    "  unseen -k id events.jsonl.gz -o events-once.jsonl.gz",
    "  unseen -k email,name users.csv --duplicates-to double.csv > users-once.csv",
    "  unseen -m 1G --state seen.uns today.log >> all.log",
    "",
    "Environment:",
    "  UNSEEN_OPTS       options that every run takes, such as -m 256M",
    "  UNSEEN_JAVA_OPTS  options for Java, such as -Xmx8g",
    "  UNSEEN_SECRET     the secret to hash keys with: 32 hexadecimal digits",
    "  NO_COLOR          turns colors off if it is set",
    "",
    "Signals:",
    "  USR1 prints the summary so far. INT, TERM and HUP end the run after a whole",
    "  record, with exit codes 130, 143 and 129; the file of --output is unchanged.",
  };

  private static final String ONE_PASS = "one pass in memory that never grows cannot tell %s; use ";

  private Dedup() {}

  /**
   * Runs the command; returns its exit code.
   *
   * @param help prints the help, which lists all commands
   */
  public static int run(
      String[] given,
      OutputStream stdout,
      PrintWriter out,
      PrintStream stderr,
      Consumer<PrintWriter> help)
      throws CliException {
    String defaults = System.getenv(DefaultOptions.VARIABLE);
    String[] args = defaults == null ? given : DefaultOptions.before(given, defaults);
    try {
      Optional<DedupOptions> options =
          Stream.of(args).anyMatch(arg -> arg.startsWith("-"))
              ? parse(args, out, help)
              : Optional.of(DedupOptions.of(NO_OPTIONS, List.of(args))); // saves 80 ms: no picocli
      return options.isEmpty()
          ? CliException.OK
          : new DedupCommand(options.get(), stdout, stderr).run();
    } catch (CliException e) {
      throw args.length > given.length ? DefaultOptions.named(e, defaults) : e;
    }
  }

  /** Returns what the user asks for. Prints help or the version instead if they are asked for. */
  static Optional<DedupOptions> parse(String[] args, PrintWriter out, Consumer<PrintWriter> help)
      throws CliException {
    CommandLine command =
        new CommandLine(spec())
            .setOut(out)
            .setExpandAtFiles(false) // @name is a file of that name
            .setOverwrittenOptionsAllowed(true); // the last one counts, so an alias can be amended
    String[] all = args.clone();
    for (int i = 0; i < all.length && !all[i].equals("--"); i++) {
      all[i] = BARE.getOrDefault(all[i], all[i]); // so that --stats FILE keeps FILE as a file
    }
    ParseResult line;
    try {
      line = command.parseArgs(all);
    } catch (ParameterException e) {
      throw CliException.usage(message(e), e);
    }
    if (line.isUsageHelpRequested()) {
      help.accept(out);
      return Optional.empty();
    }
    if (CommandLine.printHelpIfRequested(line)) {
      return Optional.empty();
    }
    List<String> files = new ArrayList<>();
    line.matchedPositionals().forEach(positional -> files.addAll(positional.stringValues()));
    return Optional.of(DedupOptions.of(GivenOptions.of(line), files));
  }

  private static String message(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      String option = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
      String remedy = insteadOf(option);
      if (!remedy.isEmpty()) {
        return option + ": " + remedy;
      }
    }
    return UsageText.of(e);
  }

  /** Returns what to use in place of an option that other tools have and this one cannot have. */
  private static String insteadOf(String option) {
    return switch (option) {
      case "-u", "--unique" ->
          ONE_PASS.formatted("which records never come again") + "sort FILE | uniq -u";
      case "--last", "--keep-last" ->
          ONE_PASS.formatted("which record of a key is the last") + "tac FILE | unseen | tac";
      case "--counts", "--count-keys", "--group" ->
          ONE_PASS.formatted("how often each key comes") + "sort FILE | uniq -c";
      case "--regex", "--regexp" ->
          "a key is made of whole fields (--key); cut out the part to compare with sed first";
      default -> "";
    };
  }

  /** Returns the declaration. */
  public static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("unseen").versionProvider(new Version());
    RecordArguments.declare(spec);
    outputs(spec);
    filter(spec);
    state(spec);
    run(spec);
    spec.addPositional(
        files(
            "0..*",
            "Read these files, one after the other; - is standard input."
                + " Default: standard input."));
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("unseen [OPTIONS] [FILE...]", "       unseen COMMAND ...")
        .description(
            "Lets each record through once, in memory that never grows.",
            "Files packed with gzip, xz, zstd, bzip2 or lz4 are unpacked.",
            "",
            "The answers are approximate: a small share of new records is dropped (false"
                + " positives), and some duplicates may come through (false negatives). More"
                + " memory makes both rarer. The summary on stderr says how often each happens.",
            "")
        .commandListHeading("%nCommands (each has its own --help):%n")
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(
            keyValuesMap(
                "0:The run is complete, or the reader of the records has closed the pipe.",
                "1:An input could not be read, an output could not be written, or a record was too"
                    + " late, with --late fail.",
                "2:The command line is wrong.",
                "3:A state is damaged, in use, or belongs to another filter.",
                "4:A duplicate was found, with --fail-on-duplicate."))
        .footer(FOOTER);
    return spec;
  }

  private static void outputs(CommandSpec spec) {
    spec.addArgGroup(
        group(
            "Output",
            value("FILE", "-o", "--output")
                .description(
                    "Write the records to FILE, which is replaced when the run is complete. It is"
                        + " compressed if its name ends in gz, xz, zst, bz2 or lz4. Default:"
                        + " standard output."),
            flag("-c", "--count")
                .description("Print the number of records instead of the records."),
            flag("-d", "--duplicates")
                .description("Print the duplicates instead of the new records."),
            flag("--repeated")
                .description("Print the first duplicate of each key, as uniq -d does."),
            value("FILE", "--duplicates-to").description("Append the duplicates to FILE as well."),
            value("FILE", "--rejects-to")
                .description(
                    "Append the records that --on-error skip and --late drop leave out to FILE."),
            value("FIELD", "--tag")
                .description(
                    "Print all records, each marked as new or duplicate: in this field of JSON, in"
                        + " a last column of CSV, or before a tab.")));
  }

  private static void filter(CommandSpec spec) {
    spec.addArgGroup(
        group(
            "Filter",
            declare(Option.MEMORY, "Default: " + FilterChoice.DEFAULT_MEMORY + ".", "-m"),
            declare(Option.MAX_FPR, "Default: 1e-4.", "-p"),
            declare(Option.WINDOW, "Default: no window."),
            value("FIELD", "--time")
                .description(
                    "Take the time of each record from FIELD; needs --key and --window."
                        + " Default: the time of arrival."),
            declare(Option.MAX_TIME_AHEAD, "Default: 24h."),
            declare(Option.MAX_LATENESS, "Default: the window."),
            declare(Option.LATE_RECORDS, "Default: admit."),
            flag("--refresh")
                .description(
                    "Count the age of a key from its latest record. Default with --window; without"
                        + " it, the filter learns what suits the stream."),
            flag("--no-refresh").description("Count the age of a key from its first record."),
            value("KIND", "--kind")
                .completionCandidates(kinds())
                .description(
                    "Use this filter: "
                        + String.join(", ", kinds())
                        + ". Default: auto (recency)."),
            declare(Option.SHARE, "Default: 0.5."),
            declare(Option.HASHES, "Default: depends on --kind."),
            declare(Option.HASH, "Default: xxh3."),
            declare(Option.SEED, ""),
            value("FILE", "--secret-file")
                .description(
                    "Read the secret that keys are hashed with from FILE."
                        + " Default: ~/.config/unseen/secret.")));
  }

  private static void state(CommandSpec spec) {
    spec.addArgGroup(
        group(
            "State",
            value("FILE", "--state")
                .description("Load the filter from FILE if it exists, and save it there."),
            value("SPAN", "--save-every")
                .description("Save the state at least this often. Default: 60s."),
            flag("--sharded").description("Save a state that Flink can start from, too."),
            flag("--grow")
                .description(
                    "Change options of the state, such as --memory, and forget nothing: the old"
                        + " filter stays in use until its keys cannot matter.")));
  }

  private static void run(CommandSpec spec) {
    spec.addArgGroup(
        group(
            "Run",
            declare(Option.AUDIT, ""),
            flag("--fail-on-duplicate")
                .description("Stop at the first duplicate, with exit code 4."),
            value("STYLE", "--stats")
                .arity("0..1")
                .completionCandidates(List.of("text", "json"))
                .description(
                    "Print the summary on stderr as text or json, even with --quiet."
                        + " Default: text."),
            value("WHEN", "--progress")
                .arity("0..1")
                .completionCandidates(List.of("auto", "never"))
                .description("Show a progress bar on a terminal: auto or never. Default: auto."),
            flag("-q", "--quiet").description("Print no summary, no warnings and no progress bar."),
            value("PORT", "--metrics-port")
                .description(
                    "Serve metrics for Prometheus on this port of localhost, path /metrics. 0"
                        + " picks a free port. ADDRESS:PORT listens on another address."),
            value("N", "--threads")
                .description("Use this many threads (1 to 64). Default: one for each processor."),
            help(),
            flag("-V", "--version").versionHelp(true).description("Print the version.")));
  }

  /** Returns what {@code --kind} accepts. */
  static List<String> kinds() {
    return Stream.concat(
            Stream.of(FilterChoice.AUTO), Arrays.stream(FilterKind.values()).map(FilterKind::id))
        .toList();
  }
}
