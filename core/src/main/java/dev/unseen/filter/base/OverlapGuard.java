package dev.unseen.filter.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ConcurrentModificationException;

/**
 * Detects that two threads use something at the same time that is for one thread. Threads may use
 * it one after the other, in any order.
 *
 * <pre>{@code
 * guard.enter();
 * try {
 *   ... // use it
 * } finally {
 *   guard.exit();
 * }
 * }</pre>
 */
public final class OverlapGuard {
  /*
   * A lock would be certain, and as slow as one. This is a field that is 1 while a thread is inside:
   *
   *   enter: 1 there: another thread is inside; fail, nothing has happened
   *          else write 1
   *   exit:  0 there: another thread came in unseen and has left; fail, both have changed the state
   *          else write 0
   *
   * Two threads that enter in the same few nanoseconds do not see each other, but then the one that
   * leaves last finds a 0. Each thread that has written a 1 leaves after it, so a 0 is always there
   * in the end, and a detected overlap does not block later calls.
   *
   * The accesses are opaque: the compiler must neither drop nor merge them, as it would do with plain
   * ones in a loop, and the processor need not wait for them, as it would for volatile ones.
   */

  private static final VarHandle BUSY;

  static {
    try {
      BUSY = MethodHandles.lookup().findVarHandle(OverlapGuard.class, "busy", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // accessed by its handle
  private int busy;

  private volatile boolean overlapped;

  /** Begins a use that may change the state, and fails if another thread is inside. */
  public void enter() {
    requireIdle();
    BUSY.setOpaque(this, 1);
  }

  /** Ends a use that may have changed the state, and fails if another thread was inside. */
  public void exit() {
    if ((int) BUSY.getOpaque(this) == 0) {
      overlapped = true;
      throw overlap("");
    }
    BUSY.setOpaque(this, 0);
  }

  /**
   * Begins a use whose result is kept. It also fails if two threads were inside at one time before.
   */
  public void enterIntact() {
    if (overlapped) {
      throw overlap(
          ", so its state may be wrong and is neither saved, copied nor merged; call clear(), or load the last saved state");
    }
    enter();
  }

  /** Forgets that threads were inside at one time, because the state has been cleared since. */
  public void renew() {
    overlapped = false;
  }

  /** Requires that no other thread changes the state at present, before it is read. */
  public void requireIdle() {
    if ((int) BUSY.getOpaque(this) != 0) {
      throw overlap("");
    }
  }

  private static ConcurrentModificationException overlap(String consequence) {
    return new ConcurrentModificationException(
        "two threads have used a deduplicator at the same time that was built for one thread%s; build it with concurrent(), or let one thread use it at a time"
            .formatted(consequence));
  }
}
