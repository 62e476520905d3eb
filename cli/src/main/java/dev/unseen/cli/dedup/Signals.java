package dev.unseen.cli.dedup;

import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles signals for a run: INT, TERM and HUP ask it to stop after whole records, and wait until
 * it has; the process then ends with 130, 143 or 129, as Java sees to. USR1 asks for a summary.
 */
final class Signals {
  /** A run that cannot even write does not keep the process from ending. */
  private static final int PATIENCE_SECONDS = 10;

  /** How long a run may take to end before the reason is printed. */
  private static final int QUIET_SECONDS = 1;

  private final Pipeline pipeline;
  private final PrintStream stderr;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "signals");
  private volatile Checkpoints checkpoints; // null: the outputs are not open yet

  Signals(Pipeline pipeline, PrintStream stderr) {
    this.pipeline = pipeline;
    this.stderr = stderr;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Called when the outputs are open; checkpoints bring them to the disk. */
  void runBegins(Checkpoints run) {
    checkpoints = run;
  }

  /**
   * Runs an action at each signal of this name from now on: by reflection, because Java 17 has no
   * other class for it, and its compiler warns of this one. It takes some milliseconds, which are
   * free while the first records are read.
   */
  static void hear(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object asking =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, args) -> {
                action.run();
                return null;
              });
      Object named = signal.getConstructor(String.class).newInstance(name);
      signal.getMethod("handle", signal, handler).invoke(null, named, asking);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // This platform has no such signal, or no such class, so it cannot be sent.
    }
  }

  private void stopAndWait() {
    pipeline.stop();
    try {
      awaitEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitEnd() throws InterruptedException {
    boolean printed = false;
    for (int waited = 0; !ended.await(QUIET_SECONDS, TimeUnit.SECONDS); waited += QUIET_SECONDS) {
      String risk = checkpoints == null ? null : checkpoints.atRisk();
      if (checkpoints == null || (risk == null && waited >= PATIENCE_SECONDS)) {
        print("nothing reads the output; the run ends without the rest of it");
        return;
      }
      if (risk != null && !printed) {
        print("waiting until everything is on the disk; if it is killed now, " + risk);
        printed = true;
      }
    }
  }

  private void print(String message) {
    stderr.println("unseen: " + message);
    stderr.flush();
  }

  /** Called when the run has ended: the process may end, too. */
  void runHasEnded() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs already.
    }
  }
}
