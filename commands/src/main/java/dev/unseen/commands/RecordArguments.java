package dev.unseen.commands;

import java.io.File;
import java.util.List;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Declares the options that say how records are read. All commands that read records have them. */
public final class RecordArguments {
  private RecordArguments() {}

  /** Adds the groups Input and Key to a command. */
  public static void declare(CommandSpec spec) {
    spec.addArgGroup(
        group(
            "Input",
            value("FORMAT", "-f", "--format")
                .completionCandidates(List.of("lines", "csv", "tsv", "jsonl", "json"))
                .description(
                    "Read records in this format: lines, csv, tsv, jsonl, json."
                        + " Default: chosen by the file name, lines for standard input."),
            flag("--header").description("Treat the first row of CSV or TSV as column names."),
            flag("--no-header").description("Treat the first row of CSV or TSV as data."),
            value("SEP", "-t", "--separator")
                .description(
                    "Split columns at SEP, 1 to 16 ASCII characters; \\t is a tab."
                        + " Quotes are part of the data."),
            flag("--blanks").description("Split columns at runs of blanks, as awk does."),
            value("CHAR", "--quote")
                .description(
                    "Quote columns with CHAR; none turns quotes off."
                        + " Default: \" in CSV, none elsewhere."),
            flag("-z", "--zero-terminated")
                .description("End lines with NUL instead of newline, as find -print0 does."),
            value("SIZE", "--max-record")
                .description("Reject records longer than SIZE (1K to 1G). Default: 64M."),
            value("ACTION", "--on-error")
                .completionCandidates(List.of("fail", "skip", "pass"))
                .description(
                    "Choose what happens to a record that cannot be used: fail ends the run,"
                        + " skip leaves it out, pass lets it through. Default: fail.")));
    spec.addArgGroup(
        group(
            "Key",
            value("FIELDS", "-k", "--key")
                .description(
                    "Compare only these fields: id,user.name or 2,5-7."
                        + " Default: the whole record."),
            flag("-i", "--ignore-case").description("Ignore upper and lower case in keys."),
            flag("--trim").description("Ignore blanks around a key."),
            flag("--missing-as-null")
                .description(
                    "Let a missing, null or (in CSV) empty key be a key."
                        + " Default: such a record cannot be used.")));
  }

  public static ArgGroupSpec group(String heading, OptionSpec.Builder... options) {
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder().heading("%n" + heading + ":%n").validate(false);
    for (OptionSpec.Builder option : options) {
      group.addArg(option.build());
    }
    return group.build();
  }

  public static OptionSpec.Builder value(String label, String... names) {
    Class<?> type = label.equals("FILE") ? File.class : String.class; // shells complete files
    return OptionSpec.builder(names).type(type).paramLabel(label);
  }

  public static OptionSpec.Builder flag(String... names) {
    return OptionSpec.builder(names).type(boolean.class);
  }

  /** Returns a parameter for the names of files. */
  public static PositionalParamSpec files(String arity, String description) {
    return PositionalParamSpec.builder()
        .paramLabel("FILE")
        .type(List.class)
        .auxiliaryTypes(File.class) // so that shells complete it
        .arity(arity)
        .required(!arity.startsWith("0"))
        .description(description)
        .build();
  }

  /** Returns the option that every command has. */
  public static OptionSpec.Builder help() {
    return flag("-h", "--help").usageHelp(true).description("Print this help.");
  }

  /** Returns the long names of these options. */
  public static List<String> names() {
    CommandSpec spec = CommandSpec.create();
    declare(spec);
    return spec.options().stream().map(OptionSpec::longestName).toList();
  }
}
