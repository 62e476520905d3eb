package dev.unseen.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where the process begins and ends: understands the arguments, tells failures, sets the code. */
public final class Main {
  private Main() {}

  /** Runs the command and exits. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // all words are English, so the numbers between them are too
    System.exit(run(args, System.err));
  }

  private static int run(String[] args, PrintStream stderr) {
    try {
      ParseResult line = parse(args);
      if (!CommandLine.printHelpIfRequested(line)) {
        OutputStream stdout = new FileOutputStream(FileDescriptor.out);
        new DedupCommand(DedupOptions.of(line)).run(stdout, stderr);
      }
      return Failure.OK;
    } catch (Failure e) {
      tell(e, stderr);
      return e.exitCode();
    } catch (OutOfMemoryError e) {
      debug(e, stderr);
      stderr.println(
          "unseen: out of memory; ask for less --memory, or give Java more:"
              + " UNSEEN_JAVA_OPTS=-Xmx8g");
      return Failure.INPUT_OR_OUTPUT;
    } catch (RuntimeException | Error e) {
      debug(e, stderr);
      stderr.println("unseen: internal error: " + e);
      stderr.println("this is a bug in unseen; run again with UNSEEN_DEBUG=1 for its stack trace");
      return Failure.INPUT_OR_OUTPUT;
    }
  }

  private static ParseResult parse(String[] args) throws Failure {
    CommandLine line =
        new CommandLine(DedupOptions.spec())
            .setExpandAtFiles(false) // @name is a file of that name
            .setOverwrittenOptionsAllowed(true); // the last one counts, so an alias can be amended
    try {
      return line.parseArgs(args);
    } catch (ParameterException e) {
      throw Failure.usage(inOurWords(e), e);
    }
  }

  private static String inOurWords(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> similar = unmatched.getSuggestions();
      String option = unmatched.getUnmatched().get(0);
      return similar.isEmpty()
          ? "unknown option '%s'".formatted(option)
          : "unknown option '%s'; did you mean %s?".formatted(option, similar.get(0));
    }
    String message = e.getMessage();
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }

  private static void tell(Failure failure, PrintStream stderr) {
    debug(failure, stderr);
    if (!failure.getMessage().isEmpty()) {
      stderr.println("unseen: " + failure.getMessage());
    }
    if (failure.exitCode() == Failure.USAGE) {
      stderr.println("try 'unseen --help'");
    }
  }

  private static void debug(Throwable e, PrintStream stderr) {
    if (System.getenv("UNSEEN_DEBUG") != null) {
      e.printStackTrace(stderr);
    }
  }
}
