package dev.unseen.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The manual page, in the language of {@code man}, made from what the command line declares. */
final class ManPage {
  private ManPage() {}

  static String of(CommandSpec spec, String version) {
    List<String> page = new ArrayList<>();
    page.add(".TH UNSEEN 1 \"\" \"" + text(version) + "\" \"User Commands\"");
    page.add(".SH NAME");
    page.add("unseen \\- let each record through once, in memory that never grows");
    page.add(".SH SYNOPSIS");
    page.add(".B unseen");
    page.add("[\\fIOPTIONS\\fR] [\\fIFILE\\fR...]");
    page.add(".br");
    page.add(".B unseen lab");
    page.add("\\fICOMMAND\\fR");
    page.add(".SH DESCRIPTION");
    for (String line : spec.usageMessage().description()) {
      page.add(text(line));
    }
    page.removeIf(String::isEmpty);
    page.add(".PP");
    Arguments.CAVEAT.forEach(line -> page.add(text(line)));
    page.add(".SH OPTIONS");
    for (OptionSpec option : spec.options()) {
      page.add(".TP");
      page.add(names(option));
      page.add(text(String.join(" ", option.description())));
    }
    page.add(".SH EXAMPLES");
    for (Arguments.Example example : Arguments.EXAMPLES) {
      page.add(".TP");
      page.add("\\fB" + text(example.command()) + "\\fR");
      page.add(text(example.says()));
    }
    page.add(".SH EXIT STATUS AND SIGNALS");
    Arguments.ENDING.forEach(line -> page.add(text(line)));
    page.add("INT and TERM end a run after whole records, with 130 and 143; a file that was being");
    page.add("written is then left as it was before.");
    page.add(".SH SEE ALSO");
    page.add("\\fBuniq\\fR(1), \\fBsort\\fR(1), \\fBawk\\fR(1)");
    return String.join("\n", page) + "\n";
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

  /** Text in which nothing is a command of {@code man}, and a minus is one that can be copied. */
  private static String text(String plain) {
    String escaped = plain.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
    return escaped.startsWith(".") ? "\\&" + escaped : escaped;
  }
}
