package dev.unseen.cli.manual;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** Writes the manual page of a command: its help, with the sections and fonts of {@code man}. */
final class ManPage {
  private static final String SECTION = ".SH ";
  private static final String SUBSECTION = ".SS ";

  /** The columns of a terminal of 80, without those by which man indents. */
  private static final int WIDTH = 72;

  /** An option, or another word that a line of a list explains. */
  private static final Pattern EXPLAINED =
      Pattern.compile("(?<=^ {2,6}|^ {2}-\\w, )(-{1,2}[a-zA-Z][\\w-]*|\\w+(?= {2}))");

  private static final Pattern HEADING = Pattern.compile("\\S.*:");

  private final List<String> page = new ArrayList<>();

  private ManPage() {}

  /**
   * Returns the page.
   *
   * @param others the names of all pages, for "see also"
   */
  static String of(CommandLine command, String version, List<String> others) {
    CommandSpec spec = command.getCommandSpec();
    String name = spec.qualifiedName("-");
    ManPage page = new ManPage();
    page.add(
        ".TH %s 1 \"\" \"%s\" \"User Commands\"".formatted(name.toUpperCase(Locale.ROOT), version));
    page.add(SECTION + "NAME");
    page.add(escaped(name) + " \\- " + escaped(summary(spec)));
    page.command(command, SECTION);
    if (spec.parent() != null) { // the commands of unseen itself have their own pages
      for (CommandLine each : command.getSubcommands().values()) {
        page.add(SECTION + each.getCommandName().toUpperCase(Locale.ROOT));
        page.command(each, SUBSECTION);
      }
    }
    List<String> see = new ArrayList<>(others);
    see.remove(name);
    see.addAll(spec.parent() == null ? List.of("uniq", "sort", "awk") : List.of());
    page.add(SECTION + "SEE ALSO");
    page.add(
        see.stream()
            .map(one -> "\\fB" + escaped(one) + "\\fR(1)")
            .collect(Collectors.joining(",\n")));
    return String.join("\n", page.page) + "\n";
  }

  /** Returns the first sentence of the description, without its capital and full stop. */
  private static String summary(CommandSpec spec) {
    String text =
        Arrays.stream(spec.usageMessage().description())
            .filter(line -> !line.isBlank())
            .findFirst()
            .orElse(spec.name())
            .replaceFirst("\\.( .*)?$", "");
    return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }

  private void command(CommandLine command, String level) {
    command.setUsageHelpWidth(WIDTH);
    Help help = new Help(command.getCommandSpec(), Help.defaultColorScheme(Ansi.OFF));
    section(level, "SYNOPSIS", help.synopsis(0));
    section(level, "DESCRIPTION", help.description());
    section(level, "ARGUMENTS", help.parameterList());
    section(level, "OPTIONS", help.optionList());
    section(level, "COMMANDS", help.commandList());
    section(level, "EXIT STATUS", help.exitCodeList());
    lines(level, help.footer());
  }

  private void section(String level, String title, String text) {
    if (!text.isBlank()) {
      add(level + title);
      lines(SUBSECTION, text);
    }
  }

  /** Adds lines as they are, except that headings, which end with a colon, get their own level. */
  private void lines(String level, String text) {
    add(".nf");
    for (String line : text.lines().filter(one -> !one.isBlank()).toList()) {
      if (HEADING.matcher(line).matches()) {
        String title = line.substring(0, line.length() - 1);
        add(".fi");
        add(level + (level.equals(SECTION) ? title.toUpperCase(Locale.ROOT) : title));
        add(".nf");
      } else {
        String marked = EXPLAINED.matcher(line).replaceAll("\u0001$1\u0002");
        add(escaped(marked).replace("\u0001", "\\fB").replace("\u0002", "\\fR"));
      }
    }
    add(".fi");
  }

  private void add(String line) {
    page.add(line);
  }

  /** Returns text in which nothing is a command of {@code man}, and a minus can be copied. */
  private static String escaped(String plain) {
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
