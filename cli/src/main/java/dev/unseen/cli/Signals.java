package dev.unseen.cli;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells a run of signals: INT, TERM and HUP ask it to stop after whole records, and wait until it
 * has; the process then ends with 130, 143 or 129, as Java sees to. USR1 asks for a summary.
 */
final class Signals {
  /** A run that cannot even write does not keep the process from ending. */
  private static final long PATIENCE_SECONDS = 10;

  private final Handover handover;
  private final CountDownLatch ended = new CountDownLatch(1);

  Signals(Handover handover) {
    this.handover = handover;
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  handover.stop();
                  awaitEnd();
                }));
  }

  /**
   * Hears USR1 from now on: by reflection, as Java 17 has no other class for it, and its compiler
   * warns of this one. It takes some milliseconds, which are free while the first records are read.
   */
  void hearUsr1() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object asking =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, args) -> {
                handover.askForSummary();
                return null;
              });
      Object usr1 = signal.getConstructor(String.class).newInstance("USR1");
      signal.getMethod("handle", signal, handler).invoke(null, usr1, asking);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // There is no such signal, or no such class, here: nobody can ask.
    }
  }

  private void awaitEnd() {
    try {
      ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The run has ended: nothing is lost if the process does. */
  void runHasEnded() {
    ended.countDown();
  }
}
