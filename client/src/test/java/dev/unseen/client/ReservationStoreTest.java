package dev.unseen.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Deduplicator;
import dev.unseen.Keys;
import dev.unseen.Reservation;
import dev.unseen.Reservation.Outcome;
import dev.unseen.Reservation.Status;
import dev.unseen.ReservationLimitException;
import dev.unseen.testing.UnseenProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for keys in this process and for keys in a server. */
class ReservationStoreTest {
  @TempDir static Path directory;
  private static UnseenProcess server;
  private static ServerReservations client;

  /** A place for keys, with room for three reservations. */
  enum Place {
    IN_PROCESS {
      @Override
      ReservationStore open(String name) {
        return ReservationStore.of(
            Deduplicator.builder(Keys.utf8())
                .expectedKeys(100_000)
                .maxFalsePositiveRate(1e-6)
                .concurrent()
                .maxReservations(3)
                .build());
      }
    },
    IN_A_SERVER {
      @Override
      ReservationStore open(String name) {
        client =
            ServerReservations.builder()
                .uri("redis://127.0.0.1:" + server.port())
                .key(name)
                .createIfMissing(1e-6, 100_000, Duration.ofDays(1))
                .commandTimeout(Duration.ofMinutes(1))
                .build();
        return client;
      }
    };

    abstract ReservationStore open(String name);
  }

  @BeforeAll
  static void startServer() throws IOException {
    server = new UnseenProcess(directory, "--max-reservations", "3");
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @AfterEach
  void closeClient() {
    if (client != null) {
      client.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_key_is_granted_until_it_is_committed(Place place) {
    ReservationStore store = place.open("granted");
    try (Reservation first = store.reserve("a")) {
      assertThat(first.status()).isEqualTo(Status.GRANTED);
      assertThat(store.reserve("a").status()).isEqualTo(Status.IN_FLIGHT);
      assertThat(store.wasSeen("a")).isFalse();
      first.rollback();
      assertThat(first.commit()).isFalse();
    }
    try (Reservation second = store.reserve("a")) {
      assertThat(second.status()).isEqualTo(Status.GRANTED);
      assertThat(second.commit()).isTrue();
      assertThat(second.commit()).isFalse();
    }
    try (Reservation third = store.reserve("a")) {
      assertThat(third.status()).isEqualTo(Status.DUPLICATE);
      assertThat(third.commit()).isFalse();
    }
    assertThat(store.wasSeen("a")).isTrue();
    assertThat(store.wasSeen("ä")).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void closing_releases_a_key(Place place) {
    ReservationStore store = place.open("closing");
    store.reserve("a").close();
    assertThat(store.reserve("a").status()).isEqualTo(Status.GRANTED);
  }

  @ParameterizedTest
  @EnumSource
  void clear_forgets_keys_and_reservations(Place place) {
    ReservationStore store = place.open("clear");
    assertThat(store.reserve("a").commit()).isTrue();
    assertThat(store.reserve("b").status()).isEqualTo(Status.GRANTED);
    store.clear();
    assertThat(store.reserve("a").status()).isEqualTo(Status.GRANTED);
    assertThat(store.reserve("b").status()).isEqualTo(Status.GRANTED);
  }

  @ParameterizedTest
  @EnumSource
  void more_reservations_than_the_limit_fail(Place place) {
    ReservationStore store = place.open("limit");
    List<Reservation> open =
        IntStream.range(0, 3).mapToObj(i -> store.reserve("key " + i)).toList();
    assertThatThrownBy(() -> store.reserve("key 3"))
        .isInstanceOf(ReservationLimitException.class)
        .hasMessageContaining("reserved")
        .hasMessageContaining("limit");
    open.get(0).rollback();
    assertThat(store.reserve("key 3").status()).isEqualTo(Status.GRANTED);
  }

  @ParameterizedTest
  @EnumSource
  void work_runs_once_and_failed_work_runs_again(Place place) throws IOException {
    ReservationStore store = place.open("work");
    assertThatThrownBy(
            () ->
                store.runOnce(
                    "a",
                    () -> {
                      throw new IOException("no");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no");
    Outcome<String> ran = store.runOnce("a", () -> "done");
    assertThat(ran).isEqualTo(new Outcome<>(Status.GRANTED, "done", false));
    assertThat(ran.ran()).isTrue();
    Outcome<String> again =
        store.runOnce(
            "a",
            () -> {
              throw new AssertionError("a second time");
            });
    assertThat(again).isEqualTo(new Outcome<>(Status.DUPLICATE, null, false));
    try (Reservation other = store.reserve("b")) {
      assertThat(other.status()).isEqualTo(Status.GRANTED);
      assertThat(store.runOnce("b", () -> 1).status()).isEqualTo(Status.IN_FLIGHT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void many_threads_do_the_work_of_each_key_once(Place place) throws Exception {
    ReservationStore store = place.open("threads");
    AtomicInteger[] done =
        IntStream.range(0, 500).mapToObj(i -> new AtomicInteger()).toArray(AtomicInteger[]::new);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      Callable<Void> worker =
          () -> {
            for (int i = 0; i < done.length; i++) {
              AtomicInteger mine = done[i];
              while (!store.wasSeen("key " + i)) {
                store.runOnce("key " + i, mine::incrementAndGet);
              }
            }
            return null;
          };
      for (var result : threads.invokeAll(List.of(worker, worker, worker))) {
        result.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(done).allSatisfy(count -> assertThat(count.get()).isEqualTo(1));
  }
}
