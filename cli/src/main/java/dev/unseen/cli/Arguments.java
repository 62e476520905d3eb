package dev.unseen.cli;

import dev.unseen.filter.FilterKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What may stand on the command line, and what it means.
 *
 * <p>Declared in code, not by annotations: picocli then needs no reflection, which takes 30 ms off
 * the start (100 to 70 ms for declaring and parsing, class data sharing on).
 */
final class Arguments {
  private Arguments() {}

  /** What the user asks for; nothing if it was help or the version, which are then printed. */
  static Optional<DedupOptions> parse(String[] args) throws Failure {
    ParseResult line = parsed(args);
    return CommandLine.printHelpIfRequested(line) ? Optional.empty() : Optional.of(optionsOf(line));
  }

  private static ParseResult parsed(String[] args) throws Failure {
    CommandLine line =
        new CommandLine(spec())
            .setExpandAtFiles(false) // @name is a file of that name
            .setOverwrittenOptionsAllowed(true); // the last one counts, so an alias can be amended
    try {
      return line.parseArgs(args);
    } catch (ParameterException e) {
      throw Failure.usage(inOurWords(e), e);
    }
  }

  private static String inOurWords(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> similar = unmatched.getSuggestions();
      String option = unmatched.getUnmatched().get(0);
      return similar.isEmpty()
          ? "unknown option '%s'".formatted(option)
          : "unknown option '%s'; did you mean %s?".formatted(option, similar.get(0));
    }
    String message = e.getMessage();
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }

  private static CommandSpec spec() {
    CommandSpec spec =
        CommandSpec.create()
            .name("unseen")
            .versionProvider(new Version())
            .addOption(
                value("SIZE", "-m", "--memory")
                    .defaultValue(DedupOptions.DEFAULT_MEMORY)
                    .description(
                        "Memory of the filter, a hard cap. Default "
                            + DedupOptions.DEFAULT_MEMORY
                            + ".")
                    .build())
            .addOption(
                value("KIND", "--kind")
                    .defaultValue(DedupOptions.DEFAULT_KIND)
                    .description(
                        "The filter: " + kinds() + ". Default " + DedupOptions.DEFAULT_KIND + ".")
                    .build())
            .addOption(
                value("N", "--hashes")
                    .description("Places of a line in the filter. Default by kind.")
                    .build())
            .addOption(
                value("N", "--seed")
                    .defaultValue(DedupOptions.DEFAULT_SEED)
                    .description(
                        "Same seed, same input: same output. Default "
                            + DedupOptions.DEFAULT_SEED
                            + ".")
                    .build())
            .addOption(flag("-q", "--quiet").description("No summary on stderr.").build())
            .addOption(flag("-h", "--help").usageHelp(true).description("This text.").build())
            .addOption(flag("-V", "--version").versionHelp(true).description("Version.").build())
            .addPositional(
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
            "       unseen lab COMMAND   measures filters; see unseen lab --help")
        .description(
            "Lets each line through once, in order, in memory that never grows.",
            "Reads stdin if there is no FILE, or where FILE is -.",
            "")
        .footer(
            "",
            "It is approximate: now and then it drops a new line, or lets a duplicate",
            "through. More memory makes both rarer; the summary tells the chance to drop.",
            "",
            "Examples:",
            "  printf 'a\\nb\\na\\n' | unseen                     prints a and b",
            "  seq 1000 | tr -d 1-8 | unseen -q                few lines, and no summary",
            "  unseen -m 256M --kind bloom /etc/passwd > once  no duplicate gets through",
            "  cat /etc/passwd | unseen - /etc/passwd | wc -l  stdin first, then a file",
            "",
            "Exit code: 0 done, or the reader of the output went away; 1 input or output",
            "failed; 2 wrong usage. Set UNSEEN_JAVA_OPTS to give options to Java.");
    return spec;
  }

  private static OptionSpec.Builder value(String label, String... names) {
    return OptionSpec.builder(names).type(String.class).paramLabel(label);
  }

  private static OptionSpec.Builder flag(String... names) {
    return OptionSpec.builder(names).type(boolean.class);
  }

  private static String kinds() {
    return Arrays.stream(FilterKind.values()).map(FilterKind::id).collect(Collectors.joining(", "));
  }

  private static DedupOptions optionsOf(ParseResult line) {
    return new DedupOptions(
        text(line, "--memory"),
        text(line, "--kind"),
        text(line, "--hashes"),
        text(line, "--seed"),
        line.hasMatchedOption("--quiet"),
        line.matchedPositionalValue(0, List.of()));
  }

  private static String text(ParseResult line, String option) {
    return line.commandSpec().findOption(option).getValue();
  }
}
