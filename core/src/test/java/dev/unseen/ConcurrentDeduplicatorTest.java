package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static dev.unseen.audit.AuditSpec.oneIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Specs;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.ShardedFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads at once, with counts that have to come out exactly. */
final class ConcurrentDeduplicatorTest {
  private static final int THREADS = 4;
  private static final int KEYS = 50_000;

  @TempDir private Path dir;

  /** A task for one of the threads. */
  private interface Task {
    void run(int thread) throws Exception;
  }

  private static void inParallel(Task task) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      futures.add(
          pool.submit(
              () -> {
                start.await();
                task.run(thread);
                return null;
              }));
    }
    for (Future<?> future : futures) {
      future.get();
    }
    pool.shutdown();
  }

  private static DeduplicatorBuilder<Long> roomy() {
    return Deduplicator.builder(Keys.longs())
        .seed(0)
        .kind(FilterKind.BLOOM)
        .memory(MiB(4))
        .concurrent();
  }

  /**
   * All threads admit the same keys in the same order, so that they meet at each. The filter has so
   * much room that it makes no error: each key is let through exactly once.
   */
  @Test
  void of_all_threads_exactly_one_gets_each_key_through() throws Exception {
    Deduplicator<Long> dedup = roomy().audit(oneIn(16)).build();
    AtomicIntegerArray through = new AtomicIntegerArray(KEYS);
    inParallel(
        thread -> {
          for (int key = 0; key < KEYS; key++) {
            if (dedup.admit((long) key)) {
              through.incrementAndGet(key);
            }
          }
        });
    for (int key = 0; key < KEYS; key++) {
      assertThat(through.get(key)).as("key %d", key).isEqualTo(1);
    }
    assertThat(dedup.records()).isEqualTo((long) THREADS * KEYS);
    assertThat(dedup.admitted()).isEqualTo(KEYS);
    var audit = dedup.report().audit().orElseThrow();
    assertThat(audit.fpr().errors()).isZero();
    assertThat(audit.fnr().errors()).isZero();
    assertThat(audit.fnr().trials()).isEqualTo((THREADS - 1) * audit.fpr().trials());
  }

  @Test
  void of_all_tickets_of_a_key_exactly_one_commit_is_the_first() throws Exception {
    Deduplicator<Long> dedup = roomy().build();
    AtomicIntegerArray first = new AtomicIntegerArray(KEYS);
    AtomicIntegerArray shared = new AtomicIntegerArray(KEYS);
    Ticket[] tickets = new Ticket[KEYS];
    Arrays.setAll(tickets, key -> dedup.probe((long) -key - 1));
    inParallel(
        thread -> {
          for (int key = 0; key < KEYS; key++) {
            if (dedup.probe((long) key).commit()) {
              first.incrementAndGet(key);
            }
            if (tickets[key].commit()) { // one ticket for all threads
              shared.incrementAndGet(key);
            }
          }
        });
    for (int key = 0; key < KEYS; key++) {
      assertThat(first.get(key)).as("key %d", key).isEqualTo(1);
      assertThat(shared.get(key)).as("shared ticket %d", key).isEqualTo(1);
    }
    assertThat(dedup.records()).isEqualTo((long) THREADS * KEYS + KEYS);
  }

  /** Each thread has its own shards, so the order within each is known: equal to one thread. */
  @ParameterizedTest
  @EnumSource
  void the_answers_to_a_shard_are_those_of_its_order(FilterKind kind) throws Exception {
    FilterSpec spec = FilterSpec.of(kind, KiB(32));
    ShardedFilter alone = ShardedFilter.of(spec);
    ShardedFilter together = ShardedFilter.of(spec);
    long[] hashes = Specs.hashes(40_000, 4);
    boolean[] expected = new boolean[hashes.length];
    boolean[] actual = new boolean[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      expected[i] = alone.admit(hashes[i]);
    }
    inParallel(
        thread -> {
          for (int i = 0; i < hashes.length; i++) {
            if (ShardedFilter.shardOf(hashes[i]) % THREADS == thread) {
              actual[i] = together.admit(hashes[i]);
            }
          }
        });
    assertThat(actual).isEqualTo(expected);
    assertThat(together.load()).isEqualTo(alone.load());
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_gives_the_answers_of_one_by_one(FilterKind kind) {
    FilterSpec spec = FilterSpec.of(kind, KiB(16));
    DuplicateFilter single = ShardedFilter.of(spec);
    DuplicateFilter batch = ShardedFilter.of(spec);
    long[] hashes = Specs.hashes(20_000, 6);
    int size = 777;
    for (int from = 0; from + size <= hashes.length; from += size) {
      long[] fresh = new long[size / 64 + 2];
      Arrays.fill(fresh, 0, size / 64 + 1, -1);
      int admitted = batch.admitAll(hashes, from, size, fresh);
      int expected = 0;
      for (int i = 0; i < size; i++) {
        boolean one = single.admit(hashes[from + i]);
        expected += one ? 1 : 0;
        assertThat(((fresh[i / 64] >>> i) & 1) != 0).as("record %d", from + i).isEqualTo(one);
      }
      assertThat(admitted).isEqualTo(expected);
      assertThat(fresh[size / 64] >>> size).isZero();
    }
    assertThat(batch.load()).isEqualTo(single.load());
  }

  /** Hashes spread over the shards, and over a shard's memory as over that of one filter. */
  @Test
  void shards_cost_no_accuracy() {
    FilterSpec spec = FilterSpec.builder(FilterKind.BLOOM, KiB(64)).build();
    DuplicateFilter one = Filters.create(spec);
    DuplicateFilter many = ShardedFilter.of(spec);
    long[] hashes = Specs.hashes(100_000, 8);
    for (long hash : hashes) {
      one.admit(hash);
      many.admit(hash);
    }
    assertThat(many.load()).isBetween(one.load() * 0.99, one.load() * 1.01);
    assertThat(many.estimatedFpr()).isBetween(one.estimatedFpr() * 0.9, one.estimatedFpr() * 1.2);
  }

  /** While threads admit, one saves: each saved state is of one moment. */
  @Test
  void a_state_saved_in_between_holds_what_it_says_it_holds() throws Exception {
    Deduplicator<Long> dedup = roomy().audit(oneIn(16)).build();
    Path file = dir.resolve("s.uns");
    inParallel(
        thread -> {
          for (long key = 0; key < KEYS; key++) {
            dedup.admit(key * THREADS + thread);
            if (thread == 0 && key % 5_000 == 0) {
              dedup.save(file);
              Deduplicator<Long> loaded = Deduplicator.load(Keys.longs(), file);
              assertThat(loaded.records()).isEqualTo(loaded.admitted());
              assertThat(loaded.records()).isGreaterThan(key);
              assertThat(loaded.report().audit().orElseThrow().fpr().errors()).isZero();
            }
          }
        });
    dedup.save(file);
    Deduplicator<Long> loaded = Deduplicator.load(Keys.longs(), file);
    assertThat(loaded.records()).isEqualTo((long) THREADS * KEYS);
    for (long key = 0; key < (long) THREADS * KEYS; key++) {
      assertThat(loaded.admit(key)).isFalse();
    }
  }

  /** Keys of one millisecond each, 100 in turn; a window of 80 has passed when one comes again. */
  @Test
  void windows_of_time_pass_for_all_shards() {
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs((Long time) -> time % 100))
            .seed(0)
            .memory(KiB(64))
            .window(Window.time(Duration.ofMillis(80)))
            .eventTime(time -> time)
            .concurrent()
            .build();
    for (long time = 0; time < 5000; time++) {
      assertThat(dedup.admit(time)).as("%d", time).isTrue();
      assertThat(dedup.admit(time)).isFalse();
      if (time >= 100) {
        assertThat(dedup.mightContain(time - 60)).isTrue();
        assertThat(dedup.mightContain(time + 10)).as("seen 100 ms before").isFalse();
      }
    }
    assertThat(dedup.windowCoverage()).isEqualTo(1);
  }

  @Test
  void what_shards_cannot_do_is_rejected() {
    assertThatThrownBy(
            () ->
                Deduplicator.builder(Keys.longs())
                    .seed(0)
                    .memory(MiB(1))
                    .window(Window.records(1000))
                    .concurrent()
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("window (1000 records) must be a time for a filter in shards")
        .hasMessageContaining("use a window of time");
    assertThatThrownBy(
            () -> Deduplicator.builder(Keys.longs()).seed(0).memory(KiB(4)).concurrent().build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "memory (4,096 bytes) must be at least 8,192 bytes for 128 shards; the number of shards is fixed");
  }
}
