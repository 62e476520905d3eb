package dev.unseen.server.net;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all connections together may hold for incomplete requests, for commands between
 * MULTI and EXEC, and for unread replies. What every connection needs in any case does not count.
 */
final class BufferBudget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /** Creates a budget of this number of bytes. */
  BufferBudget(long limit) {
    this.limit = limit;
  }

  /**
   * Changes the number of bytes that a connection holds. Returns whether all together are within
   * the limit; holding less is always allowed.
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
