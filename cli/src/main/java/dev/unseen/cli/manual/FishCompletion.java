package dev.unseen.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the completions for fish: a line an option, each with the command it belongs to. */
final class FishCompletion {
  private final List<String> lines = new ArrayList<>();

  private FishCompletion() {}

  static String of(Declared root) {
    FishCompletion script = new FishCompletion();
    script.add(root, "");
    return String.join("\n", script.lines) + "\n";
  }

  /**
   * Adds a command and the commands below it.
   *
   * @param seen the condition that the words before the cursor name this command; "" for none
   */
  private void add(Declared command, String seen) {
    String alone = seen;
    if (!command.commands().isEmpty()) {
      String names =
          command.commands().stream()
              .map(each -> each.spec().name())
              .collect(Collectors.joining(" "));
      alone = and(seen, "not __fish_seen_subcommand_from " + names);
      String first = seen.isEmpty() ? "__fish_use_subcommand" : alone;
      for (Declared each : command.commands()) {
        line(first, "-a " + each.spec().name() + " -d " + quoted(each.summary()));
        add(each, and(seen, "__fish_seen_subcommand_from " + each.spec().name()));
      }
    }
    for (OptionSpec option : command.options()) {
      line(alone, option(option));
    }
    List<String> values = command.argumentValues();
    if (!values.isEmpty()) {
      line(alone, "-f -a " + quoted(String.join(" ", values)));
    } else if (!command.takesFiles()) {
      line(alone, "-f");
    }
  }

  private static String and(String one, String other) {
    return one.isEmpty() ? other : one + "; and " + other;
  }

  private void line(String condition, String rest) {
    lines.add("complete -c unseen -n " + quoted(condition) + " " + rest);
  }

  private static String option(OptionSpec option) {
    StringBuilder text = new StringBuilder();
    for (String name : option.names()) {
      text.append(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.charAt(1));
      text.append(' ');
    }
    if (option.arity().max() > 0) {
      text.append(Declared.isFile(option) ? "-r -F " : option.arity().min() > 0 ? "-x " : "-f ");
      List<String> values = Declared.values(option);
      text.append(values.isEmpty() ? "" : "-a " + quoted(String.join(" ", values)) + " ");
    }
    return text + "-d " + quoted(Declared.brief(option));
  }

  private static String quoted(String plain) {
    return "'" + plain.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
