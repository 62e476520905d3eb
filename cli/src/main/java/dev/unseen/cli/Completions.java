package dev.unseen.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What shells need to complete the command line, made from what it declares. */
final class Completions {
  private Completions() {}

  /** For bash, by picocli. */
  static String bash(CommandSpec spec) {
    return AutoComplete.bash("unseen", new CommandLine(spec));
  }

  /** For zsh, as a function for its {@code fpath}. */
  static String zsh(CommandSpec spec) {
    List<String> lines = new ArrayList<>(List.of("#compdef unseen", "_arguments -s -S \\"));
    for (OptionSpec option : spec.options()) {
      boolean value = option.arity().max() > 0;
      List<String> names = List.of(option.names());
      StringBuilder line = new StringBuilder("  '(").append(String.join(" ", names)).append(")'");
      line.append(names.size() > 1 ? "{" : "");
      List<String> written = new ArrayList<>();
      for (String name : names) {
        written.add(name + (!value ? "" : name.startsWith("--") ? "=" : "+"));
      }
      line.append(String.join(",", written)).append(names.size() > 1 ? "}" : "");
      line.append("'[").append(zshText(description(option))).append(']');
      if (value) {
        line.append(option.arity().min() == 0 ? "::" : ":").append(option.paramLabel());
        line.append(':').append(isFile(option) ? "_files" : zshValues(option));
      }
      lines.add(line + "' \\");
    }
    lines.add("  '*:FILE:_files'");
    return String.join("\n", lines) + "\n";
  }

  private static String zshValues(OptionSpec option) {
    List<String> values = values(option);
    return values.isEmpty() ? "" : "(" + String.join(" ", values) + ")";
  }

  private static String zshText(String text) {
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace("'", "'\\''");
  }

  /** For fish. */
  static String fish(CommandSpec spec) {
    List<String> lines = new ArrayList<>();
    for (OptionSpec option : spec.options()) {
      StringBuilder line = new StringBuilder("complete -c unseen");
      for (String name : option.names()) {
        line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.charAt(1));
      }
      if (option.arity().max() > 0) {
        line.append(isFile(option) ? " -r -F" : option.arity().min() > 0 ? " -x" : " -f");
        List<String> values = values(option);
        line.append(values.isEmpty() ? "" : " -a '" + String.join(" ", values) + "'");
      }
      String text = description(option).replace("\\", "\\\\").replace("'", "\\'");
      lines.add(line + " -d '" + text + "'");
    }
    return String.join("\n", lines) + "\n";
  }

  private static String description(OptionSpec option) {
    return String.join(" ", option.description());
  }

  private static boolean isFile(OptionSpec option) {
    return option.paramLabel().equals("FILE");
  }

  private static List<String> values(OptionSpec option) {
    List<String> values = new ArrayList<>();
    if (option.completionCandidates() != null) {
      option.completionCandidates().forEach(values::add);
    }
    return values;
  }
}
