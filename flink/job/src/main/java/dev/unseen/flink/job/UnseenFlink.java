package dev.unseen.flink.job;

import dev.unseen.commands.CliException;
import dev.unseen.commands.CommandTool;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.IoMessages;
import dev.unseen.flink.JobRejectedException;
import dev.unseen.io.InputException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.apache.flink.util.ExceptionUtils;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command {@code unseen flink}, and the main class for {@code flink run}: runs a job that needs
 * no code.
 */
public final class UnseenFlink extends CommandTool {
  /** Creates the command. The launcher finds it by its class name. */
  public UnseenFlink() {
    super("flink");
  }

  /** Runs the job, and exits with 1 if it fails and 2 if the command line is wrong. */
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

  /** Returns the declaration of the command. */
  @Override
  public CommandSpec get() {
    return JobArguments.spec();
  }

  @Override
  protected int run(ParseResult line, PrintWriter err) throws Exception {
    new UnseenJob(JobOptions.of(line), text -> err.println("unseen: " + text)).run();
    return CliException.OK;
  }

  /** Flink wraps what went wrong many times over; the innermost says it. */
  @Override
  protected String message(Exception failure) {
    return "the job failed: "
        + ExceptionUtils.findThrowable(failure, JobRejectedException.class)
            .map(rejected -> rejected.describe(GateArguments::name))
            .or(
                () ->
                    ExceptionUtils.findThrowable(failure, InputException.class)
                        .map(InputException::getMessage))
            .orElseGet(() -> IoMessages.innermost(failure));
  }
}
