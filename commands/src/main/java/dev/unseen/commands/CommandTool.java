package dev.unseen.commands;

import java.io.PrintWriter;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * A command in a jar of its own, which the launcher finds by its name. It reads the command line,
 * prints help, and describes what went wrong in one line. Its declaration, from which manual pages
 * and completions are made, needs none of the jars of its engine.
 */
public abstract class CommandTool implements ToolProvider, Supplier<CommandSpec> {
  private static final int WIDTH = 79;

  private final String command;

  /** Names the command, such as {@code kafka}. */
  protected CommandTool(String command) {
    this.command = command;
  }

  @Override
  public final String name() {
    return "unseen-" + command;
  }

  /** Runs the command, and returns the exit code. */
  protected abstract int run(ParseResult line, PrintWriter err) throws Exception;

  /** Returns the message for what went wrong while the command ran. */
  protected String message(Exception e) {
    return IoMessages.innermost(e);
  }

  @Override
  public final int run(PrintWriter out, PrintWriter err, String... args) {
    try {
      CommandLine line = new CommandLine(get().name("unseen " + command));
      ParseResult parsed =
          line.setOut(out).setExpandAtFiles(false).setUsageHelpWidth(WIDTH).parseArgs(args);
      return CommandLine.printHelpIfRequested(parsed) ? CliException.OK : run(parsed, err);
    } catch (Exception e) {
      if (System.getenv("UNSEEN_DEBUG") != null) {
        e.printStackTrace(err);
      }
      CliException failure = failure(e);
      err.println("unseen: " + failure.getMessage());
      if (failure.isUsage()) {
        err.println("try 'unseen %s --help'".formatted(command));
      }
      return failure.exitCode();
    } finally {
      out.flush();
      err.flush();
    }
  }

  private CliException failure(Exception e) {
    if (e instanceof ParameterException wrong) {
      return CliException.usage(UsageText.of(wrong), e);
    }
    if (e instanceof CliException failure) {
      return failure;
    }
    return e instanceof IllegalArgumentException wrong
        ? CliException.usage(GateArguments.message(wrong), e)
        : CliException.inputOrOutput(message(e), e);
  }
}
