package dev.unseen.server;

import dev.unseen.server.command.ErrorReplies;
import dev.unseen.server.durable.DirectoryException;
import dev.unseen.server.options.ServeArguments;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code unseen serve}. The command line finds it by its name. */
public final class ServeCommand implements ToolProvider, Supplier<CommandSpec> {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");
  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  public ServeCommand() {}

  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, java.nio.charset.StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, java.nio.charset.StandardCharsets.UTF_8);
    int code = new ServeCommand().run(out, err, args);
    out.flush();
    err.flush();
    System.exit(code);
  }

  @Override
  public String name() {
    return "unseen-serve";
  }

  @Override
  public CommandSpec get() {
    return ServeArguments.spec();
  }

  @Override
  public int run(PrintWriter out, PrintWriter err, String... args) {
    if (Arrays.asList(args).contains("--help") || Arrays.asList(args).contains("-h")) {
      new CommandLine(get()).usage(out);
      out.flush();
      return OK;
    }
    if (System.getProperty(LOG_FORMAT) == null) { // one line per message, like the other output
      System.setProperty(LOG_FORMAT, "unseen serve: %1$tF %1$tT %4$s: %5$s%6$s%n");
    }
    try {
      UnseenServer server = UnseenServer.listen(ServeOptions.parse(args));
      Thread onSignal = new Thread(() -> end(server, err), "unseen-shutdown");
      Runtime.getRuntime().addShutdownHook(onSignal);
      onHangUp(() -> reload(server));
      print(server.startupMessages(), err);
      server.load();
      List<String> messages = server.startupMessages();
      print(messages.subList(1, messages.size()), err);
      return serve(server, err);
    } catch (IllegalArgumentException e) {
      return fail(err, e.getMessage() + "; try 'unseen serve --help'", USAGE);
    } catch (StoreException e) { // a saved filter does not fit
      return fail(err, ErrorReplies.describe(e), FAILED);
    } catch (IOException e) {
      return fail(err, describe(e), FAILED);
    }
  }

  /** Runs a task at each signal HUP, where Java has signals. */
  private static void onHangUp(Runnable task) {
    try { // by reflection: the compiler warns of this class, and no other has signals
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object calls =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, args) -> {
                task.run();
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), calls);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "this Java has no signal HUP; use UN.RELOAD", e);
    }
  }

  private static void reload(UnseenServer server) {
    try {
      server.reload();
    } catch (IOException | RuntimeException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "nothing is reloaded, and all stays as it was: "
              + (e instanceof IOException io ? describe(io) : e.getMessage()));
    }
  }

  private static void print(List<String> lines, PrintWriter err) {
    lines.forEach(line -> err.println("unseen serve: " + line));
    err.flush();
  }

  /** Serves until a client or a signal shuts it down, which saves all filters. */
  private static int serve(UnseenServer server, PrintWriter err) {
    try {
      server.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return end(server, err);
  }

  private static int end(UnseenServer server, PrintWriter err) {
    try {
      server.close();
      return OK;
    } catch (IOException | RuntimeException e) {
      return fail(err, "cannot save: " + e.getMessage(), FAILED);
    }
  }

  /** Describes what went wrong and what to do; some exceptions carry only the name of a file. */
  private static String describe(IOException e) {
    if (e instanceof DirectoryException directory) {
      return e.getMessage() + remedyFor(directory.reason());
    }
    if (e instanceof FileSystemException file && file.getReason() == null) {
      String why =
          e instanceof NoSuchFileException
              ? "the file does not exist"
              : e instanceof AccessDeniedException
                  ? "permission denied"
                  : e instanceof FileAlreadyExistsException
                      ? "it is a file, but must be a directory"
                      : e.getClass().getSimpleName();
      return file.getFile() + ": " + why;
    }
    return e.getMessage();
  }

  private static String remedyFor(DirectoryException.Reason reason) {
    return switch (reason) {
      case IN_USE ->
          "; stop it, choose another directory with --dir, or wait for it with --standby";
      case NOT_WRITABLE -> "; choose another directory with --dir";
      case INCOMPLETE ->
          ". Restore what is missing from a backup, or start once with --accept-data-loss to"
              + " continue without it";
      case UNKNOWN_FORMAT ->
          "; start the version of Unseen that has written it, or restore a backup that was made"
              + " with this version";
    };
  }

  private static int fail(PrintWriter err, String message, int code) {
    err.println("unseen serve: " + message);
    err.flush();
    return code;
  }
}
