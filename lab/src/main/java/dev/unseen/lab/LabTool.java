package dev.unseen.lab;

import java.io.PrintWriter;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Makes the lab available to programs that find it on the class path. The command line looks for it
 * by its name, so that it needs no class of the lab for anything else.
 */
public final class LabTool implements ToolProvider, Supplier<CommandSpec> {
  @Override
  public String name() {
    return "unseen-lab";
  }

  /** Returns the declaration of the lab, from which manual pages and completions are made. */
  @Override
  public CommandSpec get() {
    return CommandSpec.forAnnotatedObject(new LabCommand());
  }

  @Override
  public int run(PrintWriter out, PrintWriter err, String... args) {
    return LabCommand.execute(out, err, args);
  }
}
