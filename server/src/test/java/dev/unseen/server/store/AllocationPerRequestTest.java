package dev.unseen.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.hash.Secret;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/**
 * A request of one item costs a few small objects, however large the filter is: what describes the
 * whole filter is not computed for each request. The JVM counts the bytes of a thread exactly.
 */
final class AllocationPerRequestTest {
  private static final int REQUESTS = 1000;

  /** 56 to 128 are needed. To describe all shards takes 300 more. */
  private static final int MOST_BYTES = 256;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Keyspace keyspace =
      new Keyspace(
          Secret.random(),
          new MemoryBudget(1L << 40, 0),
          StoreLimits.of(10, 1 << 20),
          InstantSource.system());

  /** Returns the least of several rounds, because linking code for the first time allocates. */
  private static long bytesPerRequest(Runnable request) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < REQUESTS; i++) {
        request.run();
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least / REQUESTS;
  }

  @Test
  void adding_an_item_to_a_filter() {
    FilterDefinition million =
        new FilterDefinition(1e-3, 1_000_000, false, 0, Window.NONE, FilterKind.RECENCY, 0, 0, 0);
    ServedFilter filter = keyspace.findOrCreate("f", million);
    Items item = Items.of(42);
    long[] fresh = new long[1];

    assertThat(bytesPerRequest(() -> filter.admitAll(item, fresh, Journal.NONE)))
        .isLessThan(MOST_BYTES);
  }

  @Test
  void setting_a_key() {
    Items item = Items.of(42);
    long[] fresh = new long[1];

    assertThat(bytesPerRequest(() -> keyspace.setKeys().setAll(item, 3_600_000, fresh)))
        .isLessThan(MOST_BYTES);
  }
}
