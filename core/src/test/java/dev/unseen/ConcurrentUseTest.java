package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static dev.unseen.audit.AuditSpec.oneIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.bits.Mix;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.LockedShard;
import dev.unseen.filter.engine.ShardedFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that a concurrent gate can do, while other threads admit. */
@Timeout(300)
final class ConcurrentUseTest {
  private static final int THREADS = 4;

  @TempDir private Path dir;

  /** Admits without an end in several threads, while something else is done. */
  private static void meanwhile(Admitting admitting, Work work) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> running = new ArrayList<>();
    try {
      for (int i = 0; i < THREADS; i++) {
        running.add(
            pool.submit(
                () -> {
                  while (!stop.get()) {
                    admitting.next();
                  }
                }));
      }
      work.run();
    } finally {
      stop.set(true);
      pool.shutdown();
    }
    for (Future<?> thread : running) {
      thread.get(); // throws what was thrown there
    }
  }

  private interface Admitting {
    void next();
  }

  private interface Work {
    void run() throws Exception;
  }

  private static GateBuilder builder() {
    return Gate.builder().seed(0).memory(MiB(8)).concurrent();
  }

  private static Gate reload(Gate gate) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    gate.save(bytes, Map.of());
    return Gate.builder().load(new ByteArrayInputStream(bytes.toByteArray()));
  }

  @Test
  void merges_into_a_gate_in_use_keep_all_keys_and_counts() throws Exception {
    Gate gate = builder().memory(MiB(4)).audit(oneIn(16)).build();
    Gate other = builder().memory(MiB(4)).build();
    for (long key = 1; key <= 1000; key++) {
      other.admit(Mix.mix(-key));
    }
    AtomicLong next = new AtomicLong();
    int merges = 10;
    meanwhile(
        () -> {
          long key = next.incrementAndGet();
          if (key < 200_000) { // which fit, so nothing is forgotten
            gate.admit(Mix.mix(key));
          } else {
            next.decrementAndGet();
            Thread.onSpinWait();
          }
        },
        () -> {
          for (int i = 0; i < merges; i++) {
            gate.merge(other);
            gate.report();
            if (i % 5 == 0) {
              reload(gate);
            }
          }
        });
    long admitted = Math.min(next.get(), 199_999);
    assertThat(gate.records()).isEqualTo(admitted + merges * other.records());
    assertThat(other.records()).isEqualTo(1000);
    assertThat(gate.report().audit()).as("the audit has ended").isEmpty();
    Gate loaded = reload(gate);
    for (long key = -1000; key <= admitted; key++) {
      assertThat(key == 0 || loaded.mightContain(Mix.mix(key))).as("%d", key).isTrue();
    }
  }

  @Test
  void two_gates_can_be_merged_into_each_other_at_the_same_time() throws Exception {
    Gate a = builder().memory(KiB(64)).onAlarm(alarm -> {}).build();
    Gate b = builder().memory(KiB(64)).onAlarm(alarm -> {}).build();
    AtomicLong next = new AtomicLong();
    Work merging =
        () -> {
          for (int i = 0; i < 50; i++) {
            a.merge(b);
            a.copy();
          }
        };
    meanwhile(
        () -> {
          long key = next.incrementAndGet();
          (key % 2 == 0 ? a : b).admit(Mix.mix(key));
          if (key % 1000 == 0) {
            b.merge(a);
          }
        },
        merging);
    assertThatCode(() -> reload(a)).doesNotThrowAnyException();
    assertThatCode(() -> reload(b)).doesNotThrowAnyException();
  }

  @Test
  void a_gate_cannot_be_merged_with_itself_or_with_nothing() {
    for (Gate gate : List.of(builder().build(), Gate.builder().seed(0).memory(4096).build())) {
      gate.admit(1);
      assertThatThrownBy(() -> gate.merge(gate))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot be merged with itself");
      assertThatThrownBy(() -> gate.merge(null)).hasMessageStartingWith("other is null");
      assertThat(gate.records()).isEqualTo(1);
      gate.merge(gate.copy());
      assertThat(gate.records()).isEqualTo(2);
    }
  }

  /** With 10,000 keys, the filter makes an error in one of 4,000 runs. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clearing_a_gate_in_use_fails_nothing_and_raises_no_alarm(boolean window) throws Exception {
    Queue<Alarm> alarms = new ConcurrentLinkedQueue<>();
    GateBuilder builder = builder().memory(MiB(2)).audit(oneIn(2)).onAlarm(alarms::add);
    if (window) {
      builder.window(Window.time(Duration.ofHours(1)));
    }
    Gate gate = builder.build();
    AtomicLong next = new AtomicLong();
    meanwhile(
        () -> {
          long key = next.incrementAndGet() % 10_000;
          long[] hashes = {Mix.mix(key), Mix.mix(key / 2), Mix.mix(key / 3)};
          gate.admit(hashes[0]);
          gate.admitAll(hashes, 0, 3, new long[1]);
          gate.reserve(Mix.mix(key / 4)).commit();
        },
        () -> {
          for (int i = 0; i < 100; i++) {
            Report report = gate.report();
            assertThat(report.admitted()).isLessThanOrEqualTo(report.records());
            var audit = report.audit().orElseThrow();
            assertThat(audit.fpr().errors()).as("%s", audit).isZero();
            assertThat(audit.fnr().errors()).as("%s", audit).isZero();
            if (i % 20 == 0) {
              reload(gate);
              gate.copy();
            }
            gate.clear();
          }
        });
    assertThat(alarms).isEmpty();
    gate.clear();
    for (long key = 0; key < 1000; key++) {
      assertThat(gate.admit(Mix.mix(key))).isTrue();
      assertThat(gate.admit(Mix.mix(key))).isFalse();
    }
    assertThat(gate.records()).isEqualTo(2000);
    assertThat(gate.admitted()).isEqualTo(1000);
    assertThat(reload(gate).records()).isEqualTo(2000);
  }

  /** The stream accepts nothing until all shards have been used: the save must not hold a lock. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_stream_that_waits_stops_no_other_thread(boolean channel) throws Exception {
    Gate gate = builder().audit(oneIn(2)).build();
    for (long key = 0; key < 10_000; key++) {
      gate.admit(Mix.mix(key));
    }
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    OutputStream slow =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            if (saved.size() > MiB(4)) { // in the middle
              writing.countDown();
              try {
                go.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            }
            saved.write(bytes, from, count);
          }
        };
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      Future<?> save =
          pool.submit(
              () -> {
                if (channel) {
                  gate.save(Channels.newChannel(slow), Map.of());
                } else {
                  gate.save(slow, Map.of());
                }
                return null;
              });
      writing.await();
      Future<?> admits =
          pool.submit(
              () -> {
                for (long key = 10_000; key < 50_000; key++) { // all shards, and followed keys
                  gate.admit(Mix.mix(key));
                }
              });
      admits.get(2, TimeUnit.MINUTES);
      assertThat(gate.report().records()).isEqualTo(50_000);
      go.countDown();
      save.get();
    } finally {
      go.countDown();
      pool.shutdown();
    }
    Gate loaded = Gate.builder().load(new ByteArrayInputStream(saved.toByteArray()));
    assertThat(loaded.records()).isBetween(10_001L, 50_000L).isEqualTo(loaded.admitted());
    for (long key = 0; key < 10_000; key++) {
      assertThat(loaded.mightContain(Mix.mix(key))).isTrue();
    }
  }

  @Test
  void a_file_that_is_saved_in_use_has_the_counts_of_its_shards() throws Exception {
    Gate gate = builder().build();
    AtomicLong next = new AtomicLong();
    Path file = dir.resolve("s.uns");
    meanwhile(
        () -> {
          long key = next.incrementAndGet();
          gate.admit(Mix.mix(key));
          if (key % 50_000 == 0) {
            gate.clear();
          }
        },
        () -> {
          for (int i = 0; i < 20; i++) {
            gate.save(file, Map.of());
            Gate loaded = Gate.builder().load(file);
            long sum =
                ((ShardedFilter) loaded.filter())
                    .shards().stream().mapToLong(LockedShard::records).sum();
            assertThat(loaded.records()).isEqualTo(sum);
          }
        });
  }

  @Test
  void a_check_for_alarms_that_fails_fails_no_record() {
    AlarmBell bell = new AlarmBell(alarm -> {});
    assertThatCode(
            () ->
                bell.check(
                    () -> {
                      throw new IllegalStateException("for the log");
                    }))
        .doesNotThrowAnyException();
    Gate gate =
        Gate.builder()
            .seed(0)
            .memory(64)
            .onAlarm(
                alarm -> {
                  throw new AssertionError("for the log");
                })
            .build();
    for (long key = 0; key < 10_000; key++) {
      gate.admit(Mix.mix(key));
    }
    assertThat(gate.records()).isEqualTo(10_000);
  }
}
