package dev.unseen.server.store;

import dev.unseen.text.Print;

/** The memory limit of all filters together. */
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

  /** Releases memory. */
  public synchronized void release(long bytes) {
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
