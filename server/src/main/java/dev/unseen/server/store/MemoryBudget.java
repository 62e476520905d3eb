package dev.unseen.server.store;

import dev.unseen.text.Print;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory limit of the server. One part of it is for filters, the other for what connections
 * hold: incomplete requests, commands between MULTI and EXEC, and unread replies. What every
 * connection needs in any case does not count.
 */
public final class MemoryBudget {
  private static final long LARGE_BYTES = 64 << 10;

  private final long limit;
  private final long bufferLimit;
  private final HeapTrimmer heap;
  private final AtomicLong buffers = new AtomicLong();
  private long filters;

  /**
   * Creates a budget.
   *
   * @param limit the bytes of filters and buffers together
   * @param bufferLimit the bytes of it that are for buffers
   */
  public MemoryBudget(long limit, long bufferLimit) {
    this.limit = limit;
    this.bufferLimit = bufferLimit;
    this.heap = HeapTrimmer.of(limit);
  }

  /**
   * Takes memory for a filter.
   *
   * @throws StoreException if less is free
   */
  public void take(long bytes, String what) {
    synchronized (this) {
      long free = filterLimit() - filters;
      if (bytes > free) {
        throw new StoreException(
            StoreException.Reason.MEMORY_LIMIT,
            "%s needs %s, but only %s of %s are free"
                .formatted(
                    what, Print.bytes(bytes), Print.bytes(free), Print.bytes(filterLimit())));
      }
      filters += bytes;
    }
    if (bytes >= LARGE_BYTES) {
      heap.makeRoom(bytes);
    }
  }

  public synchronized void release(long bytes) {
    filters -= bytes;
  }

  /**
   * Changes the number of bytes that a connection holds. Returns whether all together are within
   * the limit; holding less is always allowed.
   */
  public boolean changeBuffers(long before, long after) {
    if (before == after) {
      return true;
    }
    boolean fits = buffers.addAndGet(after - before) <= bufferLimit || after < before;
    if (after - before >= LARGE_BYTES) {
      heap.makeRoom(0);
    }
    return fits;
  }

  /** Returns memory to the system that is no longer used. To be called every second. */
  public void tick() {
    heap.tick(used() + buffers());
  }

  /** Collects garbage now, and returns the memory that it frees to the system. */
  public void purge() {
    heap.collect(used() + buffers());
  }

  public synchronized long used() {
    return filters;
  }

  /** Returns the largest number of bytes that all filters may use together. */
  public long filterLimit() {
    return limit - bufferLimit;
  }

  public long buffers() {
    return buffers.get();
  }

  /** Returns the largest number of bytes that all connections may hold together. */
  public long bufferLimit() {
    return bufferLimit;
  }

  /** Returns the largest number of bytes that filters and connections may use together. */
  public long limit() {
    return limit;
  }
}
