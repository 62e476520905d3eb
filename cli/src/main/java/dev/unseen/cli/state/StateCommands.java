package dev.unseen.cli.state;

import dev.unseen.cli.UsageText;
import dev.unseen.io.FileTrouble;
import dev.unseen.snapshot.SnapshotException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Runs the commands about saved states, and tells what goes wrong in plain words. */
public final class StateCommands {
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int DAMAGED = 3;

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
          if (e instanceof SnapshotException) {
            return fail(err, e.getMessage(), DAMAGED);
          }
          if (e instanceof IOException io) {
            return fail(err, FileTrouble.describe(io), FAILED);
          }
          if (e instanceof IllegalArgumentException) {
            return fail(err, e.getMessage(), USAGE);
          }
          throw e;
        });
    return line.execute(args);
  }

  private static int fail(PrintWriter err, String message, int code) {
    err.println("unseen: " + message);
    return code;
  }
}
