package dev.unseen.lab;

import picocli.CommandLine.Option;

/** The option that every command has. */
final class Help {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli asks the annotation, not the field
  private boolean wanted;
}
