package dev.unseen.server.store;

import dev.unseen.text.Print;

/** Keeps all filters together within a limit of memory. */
public final class MemoryBudget {
  private final long limit;
  private long used;

  /** Creates a budget of this number of bytes. */
  public MemoryBudget(long limit) {
    this.limit = limit;
  }

  /**
   * Takes memory for a filter.
   *
   * @throws StoreException if less is free
   */
  public synchronized void take(long bytes, String what) {
    if (bytes > limit - used) {
      throw new StoreException(
          StoreException.Reason.MEMORY_LIMIT,
          "%s needs %s, but only %s of %s are free"
              .formatted(what, Print.bytes(bytes), Print.bytes(limit - used), Print.bytes(limit)));
    }
    used += bytes;
  }

  /** Gives memory back. */
  public synchronized void giveBack(long bytes) {
    used -= bytes;
  }

  /** Returns the bytes that all filters use together. */
  public synchronized long used() {
    return used;
  }

  /** Returns the largest number of bytes that all filters may use together. */
  public long limit() {
    return limit;
  }
}
