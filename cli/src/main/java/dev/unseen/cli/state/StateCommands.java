package dev.unseen.cli.state;

import dev.unseen.snapshot.SnapshotException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

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
    line.setParameterExceptionHandler((e, any) -> fail(err, inOurWords(e) + hint, USAGE));
    line.setExecutionExceptionHandler(
        (e, any, result) -> {
          if (e instanceof SnapshotException) {
            return fail(err, e.getMessage(), DAMAGED);
          }
          if (e instanceof IOException io) {
            return fail(err, describe(io), FAILED);
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

  private static String inOurWords(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      return "unknown option or argument '%s'".formatted(unmatched.getUnmatched().get(0));
    }
    String message = e.getMessage();
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }

  private static String describe(IOException e) {
    if (e instanceof FileSystemException file && file.getReason() == null) {
      String why =
          file instanceof NoSuchFileException
              ? "there is no such file or directory"
              : file instanceof AccessDeniedException
                  ? "permission denied"
                  : "it cannot be read or written";
      return "%s: %s".formatted(file.getFile(), why);
    }
    return e.getMessage();
  }
}
