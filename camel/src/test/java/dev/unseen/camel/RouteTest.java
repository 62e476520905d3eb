package dev.unseen.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Deduplicator;
import dev.unseen.DeduplicatorBuilder;
import dev.unseen.Keys;
import dev.unseen.Reservation;
import dev.unseen.SavedDeduplicator;
import dev.unseen.camel.UnseenIdempotentRepository.InFlightException;
import dev.unseen.client.ReservationStore;
import dev.unseen.client.ServerReservations;
import dev.unseen.testing.Patience;
import dev.unseen.testing.UnseenProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes that pass each message once. */
@SuppressWarnings("try") // closing a context may be interrupted, which fails the test
class RouteTest {
  @TempDir Path directory;

  private final List<String> passed = new CopyOnWriteArrayList<>();
  private volatile boolean failing;

  private void ship(Exchange exchange) {
    if (failing) {
      throw new IllegalStateException("no ship");
    }
    passed.add(exchange.getMessage().getBody(String.class));
  }

  /** The route of the documentation. */
  private CamelContext route(UnseenIdempotentRepository unseen) throws Exception {
    return start(
        new RouteBuilder() {
          @Override
          public void configure() {
            from("direct:orders").idempotentConsumer(header("id"), unseen).process(e -> ship(e));
          }
        });
  }

  private static CamelContext start(RouteBuilder routes) throws Exception {
    CamelContext camel = new DefaultCamelContext();
    camel.addRoutes(routes);
    camel.start();
    return camel;
  }

  private static void send(CamelContext camel, String... ids) throws Exception {
    try (ProducerTemplate template = camel.createProducerTemplate()) {
      for (String id : ids) {
        template.sendBodyAndHeader("direct:orders", id, "id", id);
      }
    }
  }

  private static DeduplicatorBuilder<String> keys() {
    return Deduplicator.builder(Keys.utf8()).expectedKeys(10_000).maxFalsePositiveRate(1e-9);
  }

  @Test
  void each_id_passes_once_across_a_restart() throws Exception {
    Path file = directory.resolve("orders.uns");
    try (SavedDeduplicator<String> orders = SavedDeduplicator.at(file).open(keys().concurrent());
        CamelContext camel = route(new UnseenIdempotentRepository(orders.deduplicator()))) {
      send(camel, "a", "b", "a");
      failing = true;
      assertThatThrownBy(() -> send(camel, "c")).isInstanceOf(CamelExecutionException.class);
      failing = false;
    }
    try (SavedDeduplicator<String> orders = SavedDeduplicator.at(file).open(keys().concurrent());
        CamelContext camel = route(new UnseenIdempotentRepository(orders.deduplicator()))) {
      send(camel, "b", "c", "d", "c");
    }
    assertThat(passed).containsExactly("a", "b", "c", "d");
  }

  @Test
  void two_contexts_share_the_keys_of_a_server() throws Exception {
    try (UnseenProcess server = new UnseenProcess(directory);
        ServerReservations one = client(server.port());
        ServerReservations two = client(server.port());
        CamelContext first = route(new UnseenIdempotentRepository(one));
        CamelContext second = route(new UnseenIdempotentRepository(two))) {
      send(first, "a", "b");
      send(second, "b", "c", "a");
      failing = true;
      assertThatThrownBy(() -> send(first, "d")).isInstanceOf(CamelExecutionException.class);
      failing = false;
      send(second, "d", "d");
      assertThat(passed).containsExactly("a", "b", "c", "d");
      try (Reservation elsewhere = two.reserve("e")) {
        assertThat(elsewhere.status()).isEqualTo(Reservation.Status.GRANTED);
        assertThatThrownBy(() -> send(first, "e")).hasRootCauseInstanceOf(InFlightException.class);
      }
      send(first, "e");
      assertThat(passed).endsWith("e");
    }
  }

  private static ServerReservations client(int port) {
    return ServerReservations.builder()
        .uri("redis://127.0.0.1:" + port)
        .key("orders")
        .createIfMissing(1e-9, 10_000, Duration.ofDays(1))
        .commandTimeout(Duration.ofMinutes(1))
        .build();
  }

  @Test
  void duplicates_that_are_not_skipped_do_not_settle_the_key() throws Exception {
    UnseenIdempotentRepository unseen =
        new UnseenIdempotentRepository(keys().concurrent().build()).skipInFlight();
    RouteBuilder routes =
        new RouteBuilder() {
          @Override
          public void configure() {
            from("direct:orders")
                .idempotentConsumer(header("id"), unseen)
                .skipDuplicate(false)
                .process(e -> ship(e));
          }
        };
    try (CamelContext camel = start(routes)) {
      send(camel, "a");
      failing = true;
      assertThatThrownBy(() -> send(camel, "a")).isInstanceOf(CamelExecutionException.class);
      assertThat(unseen.contains("a")).isTrue();
      assertThat(unseen.add("b")).isTrue(); // is being routed elsewhere
      assertThatThrownBy(() -> send(camel, "b")).isInstanceOf(CamelExecutionException.class);
      assertThat(unseen.add("b")).isFalse();
      assertThat(unseen.confirm("b")).isTrue();
    }
  }

  @Test
  void a_route_that_is_not_eager_remembers_what_it_has_completed() throws Exception {
    UnseenIdempotentRepository unseen = new UnseenIdempotentRepository(keys().concurrent().build());
    RouteBuilder routes =
        new RouteBuilder() {
          @Override
          public void configure() {
            from("direct:orders")
                .idempotentConsumer(header("id"), unseen)
                .eager(false)
                .process(e -> ship(e));
          }
        };
    try (CamelContext camel = start(routes)) {
      send(camel, "a", "a");
      failing = true;
      assertThatThrownBy(() -> send(camel, "b")).isInstanceOf(CamelExecutionException.class);
      failing = false;
      send(camel, "b", "b");
    }
    assertThat(passed).containsExactly("a", "b");
    assertThat(unseen.contains("b")).isTrue();
  }

  @Test
  void a_key_stays_reserved_while_other_threads_continue_the_route() throws Exception {
    Deduplicator<String> deduplicator = keys().concurrent().build();
    RouteBuilder routes =
        new RouteBuilder() {
          @Override
          public void configure() {
            from("direct:orders")
                .idempotentConsumer(header("id"), new UnseenIdempotentRepository(deduplicator))
                .to("seda:shipping?waitForTaskToComplete=Never");
            from("seda:shipping").process(e -> ship(e));
          }
        };
    try (CamelContext camel = start(routes)) {
      send(camel, "a", "b");
      Patience.await("the commits").until(() -> deduplicator.admitted() == 2);
      send(camel, "a", "b");
      assertThat(deduplicator.report().inFlight()).isZero();
    }
    assertThat(passed).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void many_threads_pass_each_id_once() throws Exception {
    UnseenIdempotentRepository unseen =
        new UnseenIdempotentRepository(keys().concurrent().build()).skipInFlight();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (CamelContext camel = route(unseen)) {
      String[] ids = new String[1000];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = "order " + i;
      }
      List<Future<?>> sending =
          List.of(1, 2, 3, 4).stream()
              .<Future<?>>map(
                  n ->
                      threads.submit(
                          () -> {
                            send(camel, ids);
                            return null;
                          }))
              .toList();
      for (Future<?> each : sending) {
        each.get();
      }
      assertThat(passed).containsExactlyInAnyOrder(ids);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void files_are_read_once() throws Exception {
    Deduplicator<String> deduplicator = keys().concurrent().build();
    Path inbox = Files.createDirectory(directory.resolve("inbox"));
    Files.writeString(inbox.resolve("a.txt"), "a");
    RouteBuilder routes =
        new RouteBuilder() {
          @Override
          public void configure() {
            from("file:"
                    + inbox
                    + "?noop=true&initialDelay=0&delay=10&idempotentRepository=#unseen")
                .process(e -> ship(e));
          }
        };
    try (CamelContext camel = new DefaultCamelContext()) {
      camel.getRegistry().bind("unseen", new UnseenIdempotentRepository(deduplicator));
      camel.addRoutes(routes);
      camel.start();
      Patience.await("the commit").until(() -> deduplicator.admitted() == 1);
      Files.writeString(inbox.resolve("b.txt"), "b");
      Patience.await("the other").until(() -> deduplicator.admitted() == 2);
    }
    assertThat(passed).containsExactly("a", "b");
  }

  @Test
  void keys_without_an_exchange_are_reserved_and_settled() {
    UnseenIdempotentRepository unseen =
        new UnseenIdempotentRepository(ReservationStore.of(keys().concurrent().build()));
    unseen.start();
    assertThat(unseen.confirm("a")).isFalse();
    assertThat(unseen.add("a")).isTrue();
    assertThat(unseen.contains("a")).isTrue();
    assertThatThrownBy(() -> unseen.add("a"))
        .isInstanceOf(InFlightException.class)
        .hasMessageStartingWith("another exchange with the key 'a' is being routed");
    assertThat(unseen.remove("a")).isTrue();
    assertThat(unseen.remove("a")).isFalse();
    assertThat(unseen.add("a")).isTrue();
    assertThat(unseen.confirm("a")).isTrue();
    assertThat(unseen.add("a")).isFalse();
    unseen.clear();
    assertThat(unseen.contains("a")).isFalse();
    unseen.stop();
  }
}
