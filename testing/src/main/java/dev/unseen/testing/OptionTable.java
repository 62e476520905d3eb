package dev.unseen.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The table of the options of a command in docs/reference.md, generated from its declaration. */
public final class OptionTable {
  private OptionTable() {}

  /**
   * Fails if the document has another table for this command.
   *
   * @param command as users write it: {@code unseen plan}
   */
  public static void check(Path document, String command, CommandSpec spec) throws IOException {
    List<String> rows =
        new ArrayList<>(
            List.of("| option of `%s` | what it does |".formatted(command), "|---|---|"));
    for (OptionSpec option : spec.options()) {
      if (!option.hidden() && !option.usageHelp()) {
        rows.add("| %s | %s |".formatted(names(option), description(option)));
      }
    }
    GeneratedTable.check(document, rows);
  }

  private static String names(OptionSpec option) {
    String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
    return Arrays.stream(option.names())
        .sorted(Comparator.comparingInt(String::length))
        .map(name -> "`%s%s`".formatted(name, name.startsWith("--") ? label : ""))
        .collect(Collectors.joining(", "));
  }

  private static String description(OptionSpec option) {
    String text =
        String.join(" ", option.description())
            .replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValue()))
            .replace("%%", "%");
    String plain =
        CommandLine.Help.Ansi.OFF.new Text(text).plainString().replaceAll("\\s+", " ").strip();
    return plain.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
  }
}
