package dev.unseen.cli;

import dev.unseen.cli.dedup.CheckedOutput;
import dev.unseen.cli.dedup.Dedup;
import dev.unseen.commands.CliException;
import dev.unseen.commands.ConsoleColors;
import dev.unseen.commands.Suggestion;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Starts the command, prints failures, and sets the exit code. */
public final class Main {
  private Main() {}

  /** Runs the command and exits. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // all words are English, so the numbers between them are too
    System.exit(run(args, new FileOutputStream(FileDescriptor.out), System.err));
  }

  /** Runs the command; returns its exit code. */
  static int run(String[] args, OutputStream stdout, PrintStream stderr) {
    try {
      return run(args, stdout, new CheckedOutput("stdout", stdout), stderr);
    } catch (CliException e) {
      print(e, stderr);
      return e.exitCode();
    } catch (OutOfMemoryError e) {
      return fail(
          e,
          "out of memory; use a smaller --memory, or give Java more memory:"
              + " UNSEEN_JAVA_OPTS=-Xmx8g",
          stderr);
    } catch (NoClassDefFoundError e) {
      return fail(
          e,
          "a part of this installation is missing or damaged (there is no class %s); install it again"
              .formatted(e.getMessage()),
          stderr);
    } catch (RuntimeException | Error e) {
      return fail(
          e,
          "internal error: %s%nthis is a bug in unseen; run it again with UNSEEN_DEBUG=1 to see the stack trace"
              .formatted(e),
          stderr);
    }
  }

  private static int fail(Throwable e, String message, PrintStream stderr) {
    debug(e, stderr);
    stderr.println(ConsoleColors.failure() + message);
    return CliException.INPUT_OR_OUTPUT;
  }

  private static int run(
      String[] args, OutputStream stdout, CheckedOutput checked, PrintStream stderr)
      throws CliException {
    PrintWriter out = new PrintWriter(checked, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(stderr, true, StandardCharsets.UTF_8);
    String command = args.length > 0 ? args[0] : "";
    int code =
        switch (command) {
          case "help" -> run(helpOn(rest(args)), stdout, checked, stderr);
          case "dedup" -> Dedup.run(rest(args), stdout, out, stderr, Commands::printHelp);
          default -> {
            if (Commands.has(command)) {
              yield Commands.run(command, out, err, rest(args));
            }
            rejectMistypedCommand(command);
            yield Dedup.run(args, stdout, out, stderr, Commands::printHelp);
          }
        };
    out.flush();
    if (code == CliException.OK) {
      checked.check(); // the output is complete, or the failure is reported
    }
    return code;
  }

  /** Rejects a first argument that is not a file, but nearly a command. */
  private static void rejectMistypedCommand(String name) throws CliException {
    Optional<String> question =
        name.startsWith("-") ? Optional.empty() : Suggestion.question(name, Commands.NAMES);
    if (question.isPresent() && !new File(name).exists()) {
      throw CliException.usage(
          "'%s' is neither a file nor a command; %s".formatted(name, question.get()), null);
    }
  }

  private static String[] rest(String[] args) {
    return Arrays.copyOfRange(args, 1, args.length);
  }

  /** Returns the arguments that show the help on a command. */
  private static String[] helpOn(String[] topic) throws CliException {
    String command = topic.length == 0 ? "dedup" : topic[0];
    if (!command.equals("dedup") && !Commands.has(command)) {
      throw CliException.usage(
          "there is no help on '%s'; known: dedup, %s"
              .formatted(command, String.join(", ", Commands.NAMES)),
          null);
    }
    return new String[] {command, "--help"};
  }

  private static void print(CliException failure, PrintStream stderr) {
    debug(failure, stderr);
    if (!failure.getMessage().isEmpty()) {
      stderr.println(ConsoleColors.failure() + printable(failure.getMessage()));
    }
    if (failure.isUsage()) {
      stderr.println("try 'unseen --help'");
    }
  }

  /** Returns a text in which no name of a file or column can steer the terminal. */
  static String printable(String text) {
    return text.replaceAll("[\\p{IsControl}&&[^\n]]", "?");
  }

  private static void debug(Throwable e, PrintStream stderr) {
    if (System.getenv("UNSEEN_DEBUG") != null) {
      e.printStackTrace(stderr);
    }
  }
}
