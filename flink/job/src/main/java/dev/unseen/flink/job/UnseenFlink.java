package dev.unseen.flink.job;

import dev.unseen.commands.GateArguments;
import dev.unseen.commands.IoMessages;
import dev.unseen.flink.JobRejectedException;
import dev.unseen.io.InputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import org.apache.flink.util.ExceptionUtils;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The command {@code unseen flink}, and the main class for {@code flink run}: runs a job that needs
 * no code.
 */
public final class UnseenFlink implements ToolProvider, Supplier<CommandSpec> {
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  /** Creates the command. The launcher finds it by its class name. */
  public UnseenFlink() {}

  /** Runs the job, and exits with 1 if it fails and 2 if it was asked for in a wrong way. */
  public static void main(String[] args) {
    int code =
        new UnseenFlink()
            .run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                args);
    if (code != 0) {
      System.exit(code); // a cluster takes any exit for a failure
    }
  }

  @Override
  public String name() {
    return "unseen-flink";
  }

  /** Returns the declaration, from which manual pages and completions are made. */
  @Override
  public CommandSpec get() {
    return JobArguments.spec();
  }

  @Override
  public int run(PrintWriter out, PrintWriter err, String... args) {
    try {
      JobOptions options = JobArguments.parse(args, out);
      Optional<String> summary = options == null ? Optional.empty() : new UnseenJob(options).run();
      summary.ifPresent(text -> err.println("unseen: " + text));
      return 0;
    } catch (IllegalArgumentException e) {
      err.println("unseen: " + GateArguments.message(e));
      err.println("try 'unseen flink --help'");
      return WRONG_USAGE;
    } catch (Exception e) {
      if (System.getenv("UNSEEN_DEBUG") != null) {
        e.printStackTrace(err);
      }
      err.println("unseen: the job failed: " + reason(e));
      return FAILED;
    }
  }

  /** Flink wraps what went wrong many times over; the innermost says it. */
  private static String reason(Throwable failure) {
    if (failure instanceof IOException) { // of this program, before the job started
      return failure.getMessage();
    }
    return ExceptionUtils.findThrowable(failure, JobRejectedException.class)
        .map(rejected -> rejected.describe(GateArguments::name))
        .or(
            () ->
                ExceptionUtils.findThrowable(failure, InputException.class)
                    .map(InputException::getMessage))
        .orElseGet(() -> IoMessages.innermost(failure));
  }
}
