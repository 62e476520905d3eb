package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A record leaves nothing behind for the garbage collector. The JVM counts the bytes that a thread
 * allocates exactly, interpreted code included, so a single object would show.
 */
final class AllocationTest {
  private static final int RECORDS = 20_000;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static Stream<FilterSpec> specs() {
    return Stream.concat(
        Arrays.stream(FilterKind.values()).map(kind -> FilterSpec.of(kind, 10_000)),
        Stream.of(Window.records(5000), Window.time(Duration.ofSeconds(5)))
            .map(w -> FilterSpec.builder(FilterKind.RECENCY, 10_000).window(w).build()));
  }

  /** Half of them repeats, and more than the filters can hold, so that every branch is taken. */
  private static long[] hashes() {
    SplitMix64 random = new SplitMix64(1);
    long[] hashes = new long[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      hashes[i] = i > 0 && random.chance(1, 2) ? hashes[(int) random.below(i)] : random.next();
    }
    return hashes;
  }

  /**
   * Returns the least of several rounds: what a record allocates shows in all of them, and what
   * Java allocates to link code that it meets for the first time shows in one.
   */
  private static long allocatedBy(Runnable work) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      work.run();
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  @Test
  void a_gate_allocates_nothing_per_record() {
    Gate gate =
        Gate.builder()
            .seed(0)
            .memory(10_000)
            .kind(FilterKind.BLOOM)
            .maxFalsePositiveRate(0.9999)
            .build();
    long[] hashes = Arrays.copyOf(hashes(), 4000); // an alarm is looked for each 4,096
    assertThat(
            allocatedBy(
                () -> {
                  gate.clear();
                  long before = THREADS.getCurrentThreadAllocatedBytes();
                  for (long hash : hashes) {
                    gate.admit(hash);
                  }
                  assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                      .isLessThan(hashes.length); // less than a byte a record
                }))
        .isPositive();
  }

  @ParameterizedTest
  @MethodSource("specs")
  void a_batch_allocates_nothing_per_record(FilterSpec spec) {
    DuplicateFilter filter = Filters.create(spec);
    long[] hashes = hashes();
    long[] fresh = new long[RECORDS / 64 + 1];
    assertThat(allocatedBy(() -> filter.admitAll(hashes, 0, RECORDS, fresh))).isZero();
  }

  @ParameterizedTest
  @MethodSource("specs")
  void one_by_one_allocates_nothing_per_record(FilterSpec spec) {
    DuplicateFilter filter = Filters.create(spec);
    long[] hashes = hashes();
    assertThat(
            allocatedBy(
                () -> {
                  for (int i = 0; i < hashes.length; i++) {
                    filter.advanceTo(i);
                    filter.admit(hashes[i]);
                  }
                }))
        .isZero();
  }

  @Test
  void hashing_allocates_nothing_whatever_the_length() {
    Hash64 hash = HashKind.XXH3.create(7);
    byte[] bytes = new byte[2000];
    long[] sum = new long[1];
    assertThat(
            allocatedBy(
                () -> {
                  for (int i = 0; i < RECORDS; i++) {
                    sum[0] += hash.hash(bytes, 0, i % bytes.length) + hash.hash((long) i);
                  }
                }))
        .isZero();
  }
}
