package dev.unseen.server.store;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps the heap as small as what it holds.
 *
 * <p>Filters and large buffers are allocated in the old generation. Java collects its garbage only
 * when the heap is full, which may be most of the machine, and a server that allocates little never
 * fills it. So garbage is collected here: before the old generation would become much larger than
 * the limit, and soon after much was dropped. Java then returns the free part of the heap to the
 * system, with the options that the launcher sets.
 */
final class HeapTrimmer {
  private static final long LEAST_STEP = 16 << 20;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final LongSupplier used; // bytes of the old generation, garbage included
  private final Runnable collector;
  private final LongSupplier nanos;
  private final long ceiling;
  private final long step; // a collection that would return less is not worth its pause
  private long usedAfter; // the last collection
  private long uncounted; // bytes that were left then, and that no budget counts
  private long collectedAt;

  HeapTrimmer(long limit, LongSupplier used, Runnable collector, LongSupplier nanos) {
    this.used = used;
    this.collector = collector;
    this.nanos = nanos;
    this.ceiling = limit + limit / 8;
    this.step = Math.max(LEAST_STEP, limit / 16);
    this.collectedAt = nanos.getAsLong();
  }

  /** Returns a trimmer of the heap of this process. */
  static HeapTrimmer of(long limit) {
    LongSupplier used =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .filter(pool -> pool.getName().contains("Tenured") || pool.getName().contains("Old"))
            .findFirst()
            .map(HeapTrimmer::usedBytes)
            .orElse(() -> 0); // of a collector that returns memory without being asked
    return new HeapTrimmer(limit, used, System::gc, System::nanoTime);
  }

  private static LongSupplier usedBytes(MemoryPoolMXBean pool) {
    return () -> pool.getUsage().getUsed();
  }

  /** Collects garbage if the old generation would otherwise become much larger than the limit. */
  synchronized void makeRoom(long bytes) {
    long now = used.getAsLong();
    if (now + bytes > ceiling && now > usedAfter + step) {
      collector.run();
      usedAfter = used.getAsLong();
    }
  }

  /**
   * Collects garbage if much was dropped. To be called every second.
   *
   * @param counted the bytes that are in use, as far as they are counted
   */
  synchronized void tick(long counted) {
    if (nanos.getAsLong() - collectedAt >= PAUSE_NANOS
        && used.getAsLong() - counted - Math.max(0, uncounted) >= step) {
      collect(counted);
    }
  }

  /** Collects garbage. */
  synchronized void collect(long counted) {
    collector.run();
    collectedAt = nanos.getAsLong();
    usedAfter = used.getAsLong();
    uncounted = usedAfter - counted;
  }
}
