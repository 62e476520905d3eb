package dev.unseen.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the manual page of a command, in the language of {@code man}. */
final class ManPage {
  private static final String SECTION = ".SH ";
  private static final String SUBSECTION = ".SS ";

  private final List<String> page = new ArrayList<>();

  private ManPage() {}

  /**
   * Returns the page.
   *
   * @param others the names of all pages, for "see also"
   */
  static String of(CommandSpec spec, String version, List<String> others) {
    ManPage page = new ManPage();
    page.write(new Declared(spec), version);
    page.seeAlso(new Declared(spec), others);
    return String.join("\n", page.page) + "\n";
  }

  private void write(Declared command, String version) {
    String name = command.page();
    add(".TH " + name.toUpperCase(Locale.ROOT) + " 1 \"\" \"" + version + "\" \"User Commands\"");
    add(SECTION + "NAME");
    add(text(name) + " \\- " + text(asPhrase(command.summary())));
    add(SECTION + "SYNOPSIS");
    synopsis(command);
    add(SECTION + "DESCRIPTION");
    description(command);
    commands(command);
    options(command, SECTION, SUBSECTION);
    for (Declared each : command.commands()) {
      if (!each.commands().isEmpty() || command.spec().parent() == null) {
        continue; // has its own page
      }
      add(SECTION + text(each.spec().name().toUpperCase(Locale.ROOT)));
      synopsis(each);
      add(".PP");
      description(each);
      options(each, SUBSECTION, SUBSECTION);
      footer(each, SUBSECTION);
    }
    exitCodes(command);
    footer(command, SECTION);
  }

  /** Returns a sentence as it stands after a name: no capital, no full stop. */
  private static String asPhrase(String sentence) {
    String start = sentence.substring(0, 1).toLowerCase(Locale.ROOT);
    return (start + sentence.substring(1)).replaceFirst("\\.$", "");
  }

  private void synopsis(Declared command) {
    boolean custom = command.spec().usageMessage().customSynopsis().length > 0;
    Help help = new Help(command.spec(), Help.defaultColorScheme(Ansi.OFF));
    List<String> lines = help.synopsis(0).lines().map(String::strip).toList();
    if (custom) {
      add(lines.stream().map(ManPage::text).collect(Collectors.joining("\n.br\n")));
    } else {
      add(text(String.join(" ", lines)));
    }
  }

  private void description(Declared command) {
    for (String line : command.description()) {
      add(line.isBlank() ? ".PP" : text(line));
    }
  }

  private void commands(Declared command) {
    if (command.commands().isEmpty()) {
      return;
    }
    add(SECTION + "COMMANDS");
    for (Declared each : command.commands()) {
      add(".TP");
      add("\\fB" + text(each.spec().qualifiedName()) + "\\fR");
      add(text(each.summary()));
    }
  }

  private void options(Declared command, String heading, String groupHeading) {
    List<PositionalParamSpec> arguments =
        command.spec().positionalParameters().stream().filter(one -> !one.hidden()).toList();
    if (!arguments.isEmpty()) {
      add(heading + (heading.equals(SECTION) ? "ARGUMENTS" : "Arguments"));
    }
    for (PositionalParamSpec argument : arguments) {
      entry("\\fI" + text(argument.paramLabel()) + "\\fR", argument);
    }
    add(heading + (heading.equals(SECTION) ? "OPTIONS" : "Options"));
    for (Map.Entry<String, List<OptionSpec>> group : command.optionsByGroup().entrySet()) {
      if (!group.getKey().isEmpty()) {
        add(groupHeading + text(group.getKey()));
      }
      for (OptionSpec option : group.getValue()) {
        entry(names(option), option);
      }
    }
  }

  private void entry(String names, ArgSpec arg) {
    add(".TP");
    add(names);
    add(text(Declared.plain(String.join(" ", arg.description()))));
  }

  private void exitCodes(Declared command) {
    Map<String, String> codes = command.spec().usageMessage().exitCodeList();
    if (codes.isEmpty()) {
      return;
    }
    add(SECTION + "EXIT STATUS");
    codes.forEach(
        (code, meaning) -> {
          add(".TP");
          add("\\fB" + code.strip() + "\\fR");
          add(text(Declared.plain(meaning)));
        });
  }

  /** Writes the footer of the help: headings end with a colon, what is indented stays as it is. */
  private void footer(Declared command, String heading) {
    boolean asItIs = false;
    for (String line : command.spec().usageMessage().footer()) {
      String plain = Declared.plain(line);
      boolean indented = plain.startsWith(" ");
      if (asItIs && !indented) {
        add(".fi");
      } else if (!asItIs && indented) {
        add(".nf");
      }
      asItIs = indented;
      if (!indented && plain.endsWith(":")) {
        String title = plain.substring(0, plain.length() - 1);
        add(heading + text(heading.equals(SECTION) ? title.toUpperCase(Locale.ROOT) : title));
      } else if (!plain.isBlank()) {
        add(text(plain.strip()));
      }
    }
    if (asItIs) {
      add(".fi");
    }
  }

  private void seeAlso(Declared command, List<String> others) {
    add(SECTION + "SEE ALSO");
    List<String> names = new ArrayList<>(others);
    names.remove(command.page());
    if (command.spec().parent() == null) {
      names.addAll(List.of("uniq", "sort", "awk"));
    }
    add(
        names.stream()
            .map(name -> "\\fB" + text(name) + "\\fR(1)")
            .collect(Collectors.joining(",\n")));
  }

  private static String names(OptionSpec option) {
    String names =
        List.of(option.names()).stream()
            .map(name -> "\\fB" + text(name) + "\\fR")
            .collect(Collectors.joining(", "));
    if (option.arity().max() == 0) {
      return names;
    }
    String value = "\\fI" + text(option.paramLabel()) + "\\fR";
    return names + (option.arity().min() == 0 ? "[=" + value + "]" : "=" + value);
  }

  private void add(String line) {
    page.add(line);
  }

  /** Returns text in which nothing is a command of {@code man}, and a minus can be copied. */
  private static String text(String plain) {
    String escaped =
        plain
            .replace("\\", "\\e")
            .replace("-", "\\-")
            .replace("'", "\\(aq")
            .replace("`", "\\(ga")
            .replace("^", "\\(ha")
            .replace("~", "\\(ti");
    return escaped.startsWith(".") ? "\\&" + escaped : escaped;
  }
}
