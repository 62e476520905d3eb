package dev.unseen.lab;

import java.io.PrintWriter;
import java.util.spi.ToolProvider;

/**
 * Makes the lab available to programs that find it on the class path. The command line looks for it
 * by its name, so that it needs no class of the lab for anything else.
 */
public final class LabTool implements ToolProvider {
  @Override
  public String name() {
    return "unseen-lab";
  }

  @Override
  public int run(PrintWriter out, PrintWriter err, String... args) {
    return LabCommand.execute(out, err, args);
  }
}
