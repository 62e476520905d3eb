package dev.unseen.flink;

import dev.unseen.filter.Parameter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The options of {@link UnseenJob}, under the names that the shell has for them. */
final class JobArguments {
  private JobArguments() {}

  /**
   * Reads a command line; returns null if it asks for help, which is then printed.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  static UnseenJob parse(String[] args, PrintWriter out) {
    CommandLine line = new CommandLine(spec()).setOut(out).setExpandAtFiles(false);
    ParseResult parsed;
    try {
      parsed = line.parseArgs(args);
    } catch (ParameterException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    if (CommandLine.printHelpIfRequested(parsed)) {
      return null;
    }
    Map<String, String> given = new HashMap<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      boolean flag = option.arity().max() == 0;
      given.put(option.longestName(), flag ? "" : option.stringValues().get(0));
    }
    List<String> files = new ArrayList<>();
    if (parsed.hasMatchedOption("--input")) {
      String[] inputs = parsed.matchedOptionValue("--input", new String[0]);
      files.addAll(Arrays.asList(inputs));
    }
    return new UnseenJob(given, files);
  }

  private static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("unseen flink");
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("unseen flink [OPTIONS] -i FILE -o DIRECTORY")
        .description(
            "Writes each record of the input files once, with a job of Apache Flink in this process.",
            "");
    spec.addOption(
        OptionSpec.builder("-i", "--input")
            .paramLabel("FILE")
            .required(true)
            .type(String[].class)
            .description("Read this file. Repeat the option for several.")
            .build());
    spec.addOption(
        value("DIRECTORY", "Write the first record of each key to files in it.", "-o", "--output")
            .required(true)
            .build());
    add(spec, "DIRECTORY", "Write suspected duplicates to files in it.", "--duplicates-to");
    add(spec, "FORMAT", "Read lines, csv, tsv or jsonl. Default: by the name.", "-f", "--format");
    add(spec, "FIELDS", "Compare these fields. Default: whole records.", "-k", "--key");
    flag(spec, "Take the first row of CSV or TSV for a header.", "--header");
    flag(spec, "Treat the first row of CSV or TSV as data.", "--no-header");
    add(spec, "SIZE", "Use this memory in all tasks together. Default: 64M.", "-m", "--memory");
    for (Parameter<?> parameter : Parameter.all()) {
      if (List.of("--max-fpr", "--window").contains(parameter.option().orElse(""))) {
        add(spec, "VALUE", "As in the shell: see unseen --help.", parameter.option().get());
      }
    }
    add(spec, "FIELD", "Take the time of a record from this field.", "--time");
    add(spec, "DURATION", "Believe times up to this far ahead. Default: 1d.", "--max-time-ahead");
    add(spec, "NUMBER", "Hash with this public seed, and no secret.", "--seed");
    add(spec, "N", "Run this many tasks, 1 to 128. Default: 1.", "--parallelism");
    add(
        spec,
        "FILE",
        "Start from a state in shards, such as the shell saves with --sharded.",
        "--initial-state");
    add(spec, "DIRECTORY", "Keep a checkpoint there, every 10 seconds.", "--checkpoints");
    add(spec, "DIRECTORY", "Start from this savepoint or checkpoint.", "--savepoint");
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
    return spec;
  }

  private static OptionSpec.Builder value(String label, String says, String... names) {
    return OptionSpec.builder(names[0], Arrays.copyOfRange(names, 1, names.length))
        .paramLabel(label)
        .type(String.class)
        .description(says);
  }

  private static void add(CommandSpec spec, String label, String says, String... names) {
    spec.addOption(value(label, says, names).build());
  }

  private static void flag(CommandSpec spec, String says, String name) {
    spec.addOption(OptionSpec.builder(name).type(boolean.class).description(says).build());
  }
}
