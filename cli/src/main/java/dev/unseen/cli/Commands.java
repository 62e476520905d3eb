package dev.unseen.cli;

import dev.unseen.cli.dedup.Dedup;
import dev.unseen.cli.dedup.TerminalWidth;
import dev.unseen.cli.manual.CompletionCommand;
import dev.unseen.cli.manual.ManCommand;
import dev.unseen.cli.manual.Manual;
import dev.unseen.cli.plan.PlanCommand;
import dev.unseen.cli.state.InspectCommand;
import dev.unseen.cli.state.MergeCommand;
import dev.unseen.commands.CliException;
import dev.unseen.commands.ConsoleColors;
import dev.unseen.commands.UsageText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Lists the commands and runs them. Help, manual pages and completions are made from this list. */
public final class Commands {
  /** The names of all commands, in the order of the help. */
  static final List<String> NAMES =
      List.of("plan", "inspect", "merge", "flink", "kafka", "serve", "lab", "man", "completion");

  /** Longer lines of a help are hard to read. */
  private static final int MOST_COLUMNS = 79;

  /** The library needs as many. */
  private static final int LEAST_COLUMNS = 55;

  private Commands() {}

  static boolean has(String name) {
    return NAMES.contains(name);
  }

  /** Returns the declaration of {@code unseen} with all its commands. */
  static CommandLine all() {
    CommandLine root = new CommandLine(Dedup.spec());
    for (String name : NAMES) {
      root.addSubcommand(name, create(name));
    }
    return root.setUsageHelpWidth(columns(TerminalWidth.now()));
  }

  /** Returns the columns of a help: one less than the terminal has, so that no line wraps. */
  static int columns(int terminal) {
    return Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, terminal - 1));
  }

  static void printHelp(PrintWriter out) {
    all().usage(out);
  }

  /** Writes manual pages and completions of all commands below a directory; the build runs it. */
  public static void main(String[] args) throws IOException {
    new Manual(Commands::all).write(Path.of(args[0]));
  }

  /** Returns what declares and runs a command. */
  private static CommandSpec create(String name) {
    Manual manual = new Manual(Commands::all);
    return switch (name) {
      case "plan" -> PlanCommand.declaration();
      case "inspect" -> InspectCommand.declaration();
      case "merge" -> MergeCommand.declaration();
      case "man" -> ManCommand.declaration(manual, NAMES);
      case "completion" -> CompletionCommand.declaration(manual);
      default -> OptionalCommand.named(name).orElseThrow().spec();
    };
  }

  /** Runs a command; returns its exit code. */
  public static int run(String name, PrintWriter out, PrintWriter err, String... args)
      throws CliException {
    Optional<OptionalCommand> optional = OptionalCommand.named(name);
    if (optional.isPresent()) {
      return optional.get().tool().run(out, err, args);
    }
    CommandLine line = new CommandLine(CommandSpec.create().name("unseen"));
    line.addSubcommand(name, create(name)).setOut(out).setErr(err).setExpandAtFiles(false);
    line.setUsageHelpWidth(columns(TerminalWidth.now()));
    line.setParameterExceptionHandler(
        (e, any) -> fail(err, withHint(UsageText.of(e), name), CliException.USAGE));
    line.setExecutionExceptionHandler(
        (e, any, result) -> {
          CliException failure = CliException.of(e);
          if (failure == null) {
            throw e;
          }
          String message = failure.getMessage();
          return fail(
              err, failure.isUsage() ? withHint(message, name) : message, failure.exitCode());
        });
    List<String> all = new ArrayList<>(List.of(name));
    all.addAll(Arrays.asList(args));
    return line.execute(all.toArray(String[]::new));
  }

  private static String withHint(String message, String command) {
    String end = message.endsWith("?") ? " Try" : "; try";
    return message + end + " 'unseen %s --help'".formatted(command);
  }

  private static int fail(PrintWriter err, String message, int code) {
    err.println(ConsoleColors.failure() + Main.printable(message));
    return code;
  }
}
