package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.snapshot.SnapshotException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens if two threads use a deduplicator that was built for one. */
@Timeout(300)
final class SecondThreadTest {
  @TempDir private Path dir;

  private static DeduplicatorBuilder<Integer> builder() {
    return Deduplicator.builder(Keys.ints()).seed(0).memory(MiB(1));
  }

  private static void rejected(ThrowingCallable use) {
    assertThatThrownBy(use)
        .isInstanceOf(ConcurrentModificationException.class)
        .hasMessageContaining("concurrent()");
  }

  @ParameterizedTest
  @EnumSource(names = {"RECENCY", "BLOOM", "SBF"})
  void rejects_a_parallel_stream_without_concurrent(FilterKind kind) {
    for (int run = 0; run < 5; run++) {
      Deduplicator<Integer> dedup = builder().kind(kind).build();
      rejected(() -> admitInParallel(dedup));
    }
  }

  /** Continues until it fails: on one processor, threads meet only where one of them is stopped. */
  private static void admitInParallel(Deduplicator<Integer> dedup) {
    try {
      for (int round = 0; round < 100; round++) {
        IntStream.range(0, 400_000)
            .parallel()
            .mapToObj(i -> i % 150_000)
            .filter(dedup::admit)
            .forEach(record -> {});
      }
    } finally { // a stream that has failed in one thread still runs in others
      assertThat(ForkJoinPool.commonPool().awaitQuiescence(2, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void rejects_each_use_while_another_thread_saves_and_the_save_is_right() throws Exception {
    Deduplicator<Integer> dedup =
        builder().window(Window.time(Duration.ofHours(1))).seed(0).build();
    Deduplicator<Integer> other =
        builder().window(Window.time(Duration.ofHours(1))).seed(0).build();
    dedup.admit(1);
    Ticket ticket = dedup.probe(2);
    Reservation reservation = dedup.reserve(3);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> save =
          thread.submit(
              () -> {
                dedup.save(new Waiting(saved, inside, leave));
                return null;
              });
      inside.await();
      rejected(() -> dedup.admit(4));
      rejected(() -> dedup.admitAll(List.of(4)));
      rejected(() -> dedup.through(Stream.of(4)).toList());
      rejected(() -> dedup.through(List.of(4).iterator()).hasNext());
      rejected(() -> dedup.mightContain(1));
      rejected(() -> dedup.probe(4));
      rejected(ticket::commit);
      rejected(() -> dedup.reserve(4));
      rejected(reservation::commit);
      rejected(() -> dedup.gate().advanceTo(System.currentTimeMillis() + 1000));
      rejected(() -> dedup.merge(other));
      rejected(() -> other.merge(dedup));
      rejected(dedup::clear);
      rejected(dedup::copy);
      rejected(() -> dedup.save(OutputStream.nullOutputStream()));
      rejected(() -> dedup.save(Channels.newChannel(OutputStream.nullOutputStream())));
      rejected(() -> dedup.save(dir.resolve("s.uns")));
      rejected(() -> dedup.gate().save(OutputStream.nullOutputStream(), Map.of()));
      assertThat(dedup.report().records()).as("counts can be read").isEqualTo(1);
      assertThat(dedup.records() + dedup.admitted()).isEqualTo(2);
      leave.countDown();
      save.get();
    } finally {
      leave.countDown();
      thread.shutdown();
    }
    Deduplicator<Integer> loaded =
        Deduplicator.builder(Keys.ints()).load(new ByteArrayInputStream(saved.toByteArray()));
    assertThat(loaded.records()).isEqualTo(1);
    assertThat(dedup.admit(4)).as("nobody else is inside now").isTrue();
    assertThat(other.admit(4)).isTrue();
    assertThatCode(() -> dedup.save(dir.resolve("s.uns"))).doesNotThrowAnyException();
  }

  @Test
  void threads_may_use_it_one_after_the_other() throws Exception {
    Deduplicator<Integer> dedup = builder().build();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int i = 0; i < 50; i++) {
      int key = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  dedup.admit(key);
                  dedup.save(OutputStream.nullOutputStream());
                } catch (IOException | RuntimeException e) {
                  failure.set(e);
                }
              });
      thread.start();
      thread.join();
    }
    assertThat(failure.get()).isNull();
    assertThat(dedup.admitted()).isEqualTo(50);
  }

  @Test
  void a_file_is_never_replaced_by_a_state_that_cannot_be_loaded() throws IOException {
    Path file = dir.resolve("s.uns");
    Deduplicator<Integer> good = builder().build();
    good.admit(-1);
    for (int run = 0; run < 5; run++) {
      good.save(file);
      Deduplicator<Integer> dedup = builder().build();
      dedup.admit(-1);
      rejected(() -> admitInParallel(dedup));
      try {
        dedup.save(file);
      } catch (ConcurrentModificationException | SnapshotException e) {
        assertThat(e).hasMessageContaining("concurrent()");
      }
      assertThat(Deduplicator.load(Keys.ints(), file).mightContain(-1)).isTrue();
      dedup.clear();
      dedup.save(file);
      assertThat(Deduplicator.load(Keys.ints(), file).records()).isZero();
    }
  }

  @Test
  void metrics_can_be_read_beside_the_one_thread() throws Exception {
    Deduplicator<Integer> dedup = builder().memory(KiB(64)).onAlarm(alarm -> {}).build();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread admitting =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 300_000; i++) {
                  dedup.admit(i);
                  if (i % 10_000 == 0) {
                    dedup.clear();
                  }
                }
              } catch (RuntimeException e) {
                failure.set(e);
              }
            });
    admitting.start();
    while (admitting.isAlive()) {
      Report report = dedup.report();
      assertThat(report.admitted()).isLessThanOrEqualTo(report.records());
      assertThat(dedup.load()).isBetween(0.0, 1.0);
    }
    admitting.join();
    assertThat(failure.get()).isNull();
    assertThat(dedup.records()).isEqualTo(9_999);
  }

  /** Stays within its first write until it may continue. */
  private static final class Waiting extends OutputStream {
    private final OutputStream to;
    private final CountDownLatch inside;
    private final CountDownLatch leave;

    Waiting(OutputStream to, CountDownLatch inside, CountDownLatch leave) {
      this.to = to;
      this.inside = inside;
      this.leave = leave;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      inside.countDown();
      try {
        leave.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      to.write(bytes, from, count);
    }
  }
}
