package dev.unseen.cli;

import dev.unseen.filter.FilterKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options of {@code unseen [OPTIONS] [FILE...]}, as text: who uses a value parses it.
 *
 * <p>Declared in code, not by annotations: picocli then needs no reflection, which takes 30 ms off
 * every start (100 to 70 ms for declaring and parsing, class data sharing on).
 *
 * @param memory of the filter, such as {@code 64M}
 * @param kind of the filter, by its id
 * @param hashes of the filter; null for what suits the kind
 * @param seed of all that is random
 * @param quiet whether to say nothing at the end
 * @param files to read; {@code -} is stdin
 */
record DedupOptions(
    String memory, String kind, String hashes, String seed, boolean quiet, List<String> files) {

  /** What picocli is to know. */
  static CommandSpec spec() {
    CommandSpec spec =
        CommandSpec.create()
            .name("unseen")
            .versionProvider(new Version())
            .addOption(
                value("SIZE", "-m", "--memory")
                    .defaultValue("64M")
                    .description("Memory of the filter, a hard cap. Default 64M.")
                    .build())
            .addOption(
                value("KIND", "--kind")
                    .defaultValue(FilterKind.RLBSBF.id())
                    .description("The filter: " + kinds() + ". Default rlbsbf.")
                    .build())
            .addOption(
                value("N", "--hashes")
                    .description("Places of a line in the filter. Default by kind.")
                    .build())
            .addOption(
                value("N", "--seed")
                    .defaultValue("0")
                    .description("Same seed, same input: same output. Default 0.")
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
        .customSynopsis("unseen [OPTIONS] [FILE...]")
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
            "  unseen -m 1G --kind bloom /etc/passwd > once    no duplicate gets through",
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

  /** What the user wrote, and the defaults for the rest. */
  static DedupOptions of(ParseResult line) {
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
