package dev.unseen.cli.state;

import dev.unseen.cli.Failure;
import dev.unseen.cli.UsageText;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Runs the commands about saved states, and tells what goes wrong in plain words. */
public final class StateCommands {
  static final int USAGE = 2;

  private StateCommands() {}

  /**
   * Runs {@code inspect} or {@code merge}; returns the exit code: 0 done, 1 input or output failed,
   * 2 usage or refused, 3 a state is damaged or in use.
   */
  public static int execute(PrintWriter out, PrintWriter err, String name, String... args) {
    Callable<Integer> command = name.equals("inspect") ? new InspectCommand() : new MergeCommand();
    CommandLine line =
        new CommandLine(command)
            .setOut(out)
            .setErr(err)
            .setExpandAtFiles(false)
            .setUsageHelpWidth(96);
    String hint = "; try 'unseen %s --help'".formatted(name);
    line.setParameterExceptionHandler((e, any) -> fail(err, UsageText.of(e) + hint, USAGE));
    line.setExecutionExceptionHandler(
        (e, any, result) -> {
          Failure failure = Failure.of(e);
          if (failure == null) {
            throw e;
          }
          return fail(err, failure.getMessage(), failure.exitCode());
        });
    return line.execute(args);
  }

  private static int fail(PrintWriter err, String message, int code) {
    err.println("unseen: " + message);
    return code;
  }
}
