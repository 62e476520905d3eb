package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;

/** {@code unseen [OPTIONS] [FILE...]}, the command that needs no name. */
public final class Dedup {
  private static final GivenOptions NO_OPTIONS = new GivenOptions(Map.of());

  private Dedup() {}

  /** Returns the declaration. */
  public static CommandSpec spec() {
    return Arguments.spec();
  }

  /**
   * Runs the command; returns its exit code.
   *
   * @param help prints the help, which lists all commands
   */
  public static int run(
      String[] given,
      OutputStream stdout,
      PrintWriter out,
      PrintStream stderr,
      Consumer<PrintWriter> help)
      throws CliException {
    String defaults = System.getenv(DefaultOptions.VARIABLE);
    String[] args = defaults == null ? given : DefaultOptions.before(given, defaults);
    try {
      Optional<DedupOptions> options =
          hasOptions(args)
              ? Arguments.parse(args, out, help)
              : Optional.of(DedupOptions.of(NO_OPTIONS, List.of(args))); // saves 80 ms: no picocli
      return options.isEmpty()
          ? CliException.OK
          : new DedupCommand(options.get(), stdout, stderr).run();
    } catch (CliException e) {
      throw args.length > given.length ? DefaultOptions.named(e, defaults) : e;
    }
  }

  private static boolean hasOptions(String[] args) {
    for (String arg : args) {
      if (arg.startsWith("-")) {
        return true;
      }
    }
    return false;
  }
}
