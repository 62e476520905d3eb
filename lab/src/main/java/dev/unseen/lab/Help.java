package dev.unseen.lab;

import picocli.CommandLine.Option;

/** The help option of every command. */
final class Help {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("unused") // picocli asks the annotation, not the field
  private boolean wanted;
}
