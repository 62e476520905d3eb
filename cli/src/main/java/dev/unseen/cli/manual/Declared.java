package dev.unseen.cli.manual;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What a command declares, as manual pages need it. */
record Declared(CommandSpec spec) {
  /** Returns the name of the command's page: {@code unseen-plan}. */
  String page() {
    return spec.qualifiedName("-");
  }

  /** Returns the first sentence of the description. */
  String summary() {
    List<String> lines = description();
    String text = lines.isEmpty() ? spec.name() : lines.get(0);
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  /** Returns the lines of the description, without blank ones before and after it. */
  List<String> description() {
    return String.join("\n", spec.usageMessage().description())
        .transform(Declared::plain)
        .strip()
        .lines()
        .toList();
  }

  /** Returns the options by the headings of their groups; those without a group come first. */
  Map<String, List<OptionSpec>> optionsByGroup() {
    Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
    for (OptionSpec option : spec.options()) {
      if (!option.hidden() && headingOf(option).isEmpty()) {
        groups.computeIfAbsent("", none -> new ArrayList<>()).add(option);
      }
    }
    for (ArgGroupSpec group : spec.argGroups()) {
      for (OptionSpec option : group.allOptionsNested()) {
        if (!option.hidden() && !headingOf(option).isEmpty()) {
          groups.computeIfAbsent(headingOf(option), none -> new ArrayList<>()).add(option);
        }
      }
    }
    return groups;
  }

  /** Returns the heading that an option stands under, without a colon; "" if there is none. */
  private static String headingOf(OptionSpec option) {
    ArgGroupSpec group = option.group();
    String heading = group == null ? null : group.heading();
    return heading == null ? "" : plain(heading).strip().replaceFirst(":$", "");
  }

  /** Returns the commands of this command. */
  List<Declared> commands() {
    return spec.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .distinct()
        .map(Declared::new)
        .toList();
  }

  /** Returns a text of picocli as it is shown, without its signs for a percent and a line end. */
  static String plain(String text) {
    return text.replace("%n", "\n").replace("%%", "%");
  }
}
