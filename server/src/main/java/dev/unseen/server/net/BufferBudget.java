package dev.unseen.server.net;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all connections together may hold for requests that have not come as a whole, for
 * commands between MULTI and EXEC, and for replies that nobody takes. What every connection needs
 * in any case does not count.
 */
final class BufferBudget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /** Creates a budget of this number of bytes. */
  BufferBudget(long limit) {
    this.limit = limit;
  }

  /**
   * Notes that a connection holds another number of bytes than before. Returns whether all together
   * are within the limit; giving back always is.
   */
  boolean change(long before, long after) {
    if (before == after) {
      return true;
    }
    return used.addAndGet(after - before) <= limit || after < before;
  }

  long limit() {
    return limit;
  }
}
