package dev.unseen.lab;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What the commands of the lab share: the help option, and the place where they print. */
abstract class LabSubcommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @SuppressWarnings("unused") // picocli's
  @Mixin
  private Help help;

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
