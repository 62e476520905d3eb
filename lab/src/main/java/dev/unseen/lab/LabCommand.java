package dev.unseen.lab;

import dev.unseen.commands.IoMessages;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** {@code unseen lab}: measures filters against the exact truth. */
@Command(
    name = "unseen lab",
    description = "Measures filters against the exact truth.",
    subcommands = {
      ReproduceCommand.class,
      TraceCommand.class,
      FrontierCommand.class,
      TheoryCommand.class,
      AuditCommand.class,
      RecencyCommand.class,
      SizingCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false)
public final class LabCommand extends LabSubcommand {
  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is missing: reproduce, trace, frontier, theory, audit, recency or sizing");
  }

  /**
   * Runs the command. Returns the exit code: 0 for success, 1 if input or output failed, 2 for
   * wrong usage.
   */
  public static int execute(PrintWriter out, PrintWriter err, String... args) {
    CommandLine lab = new CommandLine(new LabCommand()).setOut(out).setErr(err);
    lab.setParameterExceptionHandler(
        (e, any) -> fail(e.getCommandLine(), e.getMessage() + hint(e.getCommandLine()), 2));
    lab.setExecutionExceptionHandler(
        (e, command, any) -> {
          if (e instanceof IllegalArgumentException) {
            return fail(command, e.getMessage() + hint(command), 2);
          }
          if (e instanceof IOException io) {
            return fail(command, IoMessages.describe(io), 1);
          }
          throw e;
        });
    int code = lab.execute(args);
    out.flush();
    return code;
  }

  private static int fail(CommandLine command, String message, int code) {
    command.getErr().println("unseen: " + message);
    return code;
  }

  private static String hint(CommandLine command) {
    return "; try '%s --help'".formatted(command.getCommandSpec().qualifiedName());
  }
}
