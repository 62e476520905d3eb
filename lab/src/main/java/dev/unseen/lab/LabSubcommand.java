package dev.unseen.lab;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands of the lab share: the help option, and the place where they print. */
abstract class LabSubcommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("unused") // picocli asks the annotation, not the field
  private boolean help;

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Fails, and lists the known names, unless all names are among them. */
  static void requireKnown(String what, List<String> names, List<String> known) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "%s '%s' is unknown; known: %s".formatted(what, name, String.join(", ", known)));
      }
    }
  }
}
