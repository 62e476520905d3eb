package dev.unseen.cli.manual;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the completions for zsh: a file for its {@code fpath}, with a function a command. */
final class ZshCompletion {
  private final List<String> lines = new ArrayList<>();

  private ZshCompletion() {}

  static String of(Declared root) {
    ZshCompletion script = new ZshCompletion();
    script.lines.add("#compdef unseen");
    script.function(root);
    // Loaded by its file name, it is the function; sourced, it is told which command it is for.
    script.lines.add("if [ \"$funcstack[1]\" = _unseen ]; then");
    script.lines.add("  _unseen \"$@\"");
    script.lines.add("else");
    script.lines.add("  compdef _unseen unseen");
    script.lines.add("fi");
    return String.join("\n", script.lines) + "\n";
  }

  private static String name(Declared command) {
    return "_" + command.spec().qualifiedName("_");
  }

  private void function(Declared command) {
    command.commands().forEach(this::function);
    lines.add("");
    lines.add(name(command) + "() {");
    if (!command.commands().isEmpty()) {
      dispatch(command);
    }
    lines.add("  _arguments -s -S \\");
    for (OptionSpec option : command.options()) {
      lines.add("    " + option(option) + " \\");
    }
    lines.add("    " + arguments(command));
    lines.add("}");
  }

  /** Completes what the command in the second word takes, or the name of a command. */
  private void dispatch(Declared command) {
    lines.add("  if (( CURRENT > 2 )); then");
    lines.add("    case $words[2] in");
    for (Declared each : command.commands()) {
      lines.add(
          "      %s) shift words; (( CURRENT-- )); %s; return ;;"
              .formatted(each.spec().name(), name(each)));
    }
    lines.add("    esac");
    lines.add("  elif [[ $words[2] != -* ]]; then");
    lines.add("    local -a commands=(");
    for (Declared each : command.commands()) {
      String summary = text(each.summary().replace(":", "\\:"));
      lines.add("      '%s:%s'".formatted(each.spec().name(), summary));
    }
    lines.add("    )");
    lines.add("    _describe -t commands command commands");
    lines.add("  fi");
  }

  private static String option(OptionSpec option) {
    boolean value = option.arity().max() > 0;
    List<String> names = List.of(option.names());
    List<String> written = new ArrayList<>();
    for (String name : names) {
      written.add(name + (!value ? "" : name.startsWith("--") ? "=" : "+"));
    }
    StringBuilder text = new StringBuilder("'(").append(String.join(" ", names)).append(")'");
    boolean several = names.size() > 1;
    text.append(several ? "{" : "").append(String.join(",", written)).append(several ? "}" : "");
    text.append("'[").append(bracketed(Declared.brief(option))).append(']');
    if (value) {
      text.append(option.arity().min() == 0 ? "::" : ":").append(option.paramLabel());
      text.append(':').append(action(option));
    }
    return text.append('\'').toString();
  }

  private static String arguments(Declared command) {
    List<String> values = command.argumentValues();
    if (!values.isEmpty()) {
      return "'1:%s:(%s)'"
          .formatted(
              command.spec().positionalParameters().get(0).paramLabel(), String.join(" ", values));
    }
    return command.takesFiles() ? "'*:FILE:_files'" : "";
  }

  private static String action(ArgSpec arg) {
    if (Declared.isFile(arg)) {
      return "_files";
    }
    List<String> values = Declared.values(arg);
    return values.isEmpty() ? "" : "(" + String.join(" ", values) + ")";
  }

  private static String bracketed(String plain) {
    return text(plain.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]"));
  }

  private static String text(String plain) {
    return plain.replace("'", "'\\''");
  }
}
