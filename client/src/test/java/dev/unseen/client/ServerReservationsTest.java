package dev.unseen.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.Reservation;
import dev.unseen.Reservation.Status;
import dev.unseen.server.UnseenServer;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.testing.Patience;
import dev.unseen.testing.UnseenProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerReservationsTest {
  @TempDir Path directory;

  private static ServerReservations.Builder client(int port) {
    return ServerReservations.builder()
        .uri("redis://127.0.0.1:" + port)
        .key("orders")
        .createIfMissing(1e-6, 10_000, Duration.ofDays(1))
        .reservationTime(Duration.ofHours(1))
        .commandTimeout(Duration.ofMinutes(1));
  }

  @Test
  void two_clients_share_keys() throws IOException {
    try (UnseenProcess server = new UnseenProcess(directory);
        ServerReservations one = client(server.port()).build();
        ServerReservations two = client(server.port()).build()) {
      Reservation first = one.reserve("a");
      assertThat(first.status()).isEqualTo(Status.GRANTED);
      assertThat(two.reserve("a").status()).isEqualTo(Status.IN_FLIGHT);
      assertThat(first.commit()).isTrue();
      assertThat(two.reserve("a").status()).isEqualTo(Status.DUPLICATE);
    }
  }

  @Test
  void a_commit_whose_reply_was_lost_succeeds() throws IOException {
    try (UnseenProcess server = new UnseenProcess(directory);
        LossyProxy proxy = new LossyProxy(server.port());
        ServerReservations orders = client(proxy.port()).build()) {
      Reservation reservation = orders.reserve("a");
      proxy.loseReplies(1);
      assertThat(reservation.commit()).isTrue();
      assertThat(orders.reserve("a").status()).isEqualTo(Status.DUPLICATE);
    }
  }

  @Test
  void a_reservation_whose_reply_was_lost_is_in_flight_until_it_expires() throws IOException {
    try (UnseenProcess server = new UnseenProcess(directory);
        LossyProxy proxy = new LossyProxy(server.port());
        ServerReservations orders = client(proxy.port()).build();
        ServerReservations brief =
            client(proxy.port()).reservationTime(Duration.ofMillis(100)).build()) {
      orders.check();
      brief.check();
      proxy.loseReplies(1);
      assertThatThrownBy(() -> orders.reserve("a"))
          .isInstanceOfSatisfying(
              StoreUnavailableException.class, e -> assertThat(e.isMaybeExecuted()).isTrue())
          .hasMessageContaining("was lost before it replied to UN.RESERVE");
      assertThat(orders.reserve("a").status()).isEqualTo(Status.IN_FLIGHT);
      proxy.loseReplies(1);
      assertThatThrownBy(() -> brief.reserve("b")).isInstanceOf(StoreUnavailableException.class);
      Patience.await("the end of the reservation")
          .until(() -> orders.reserve("b").status() == Status.GRANTED);
    }
  }

  @Test
  void a_commit_marks_the_key_after_the_server_was_killed_and_started_again() throws Exception {
    int port;
    try (ServerReservations orders = start()) {
      port = startedPort;
      Reservation reservation = orders.reserve("a");
      Reservation other = orders.reserve("b");
      started.kill();
      assertThatThrownBy(() -> orders.reserve("c"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("127.0.0.1:" + port);
      other.rollback(); // does not throw
      try (UnseenProcess again = new UnseenProcess(directory, "--port", "" + port)) {
        assertThat(again.port()).isEqualTo(port);
        assertThat(reservation.commit()).isTrue();
        assertThat(orders.reserve("a").status()).isEqualTo(Status.DUPLICATE);
        assertThat(orders.reserve("b").status()).isEqualTo(Status.GRANTED);
      }
    }
  }

  private UnseenProcess started;
  private int startedPort;

  private ServerReservations start() throws IOException {
    started = new UnseenProcess(directory);
    startedPort = started.port();
    return client(startedPort).build();
  }

  @Test
  void a_commit_waits_for_a_server_that_is_being_started() throws Exception {
    try (ServerReservations orders = start()) {
      Reservation reservation = orders.reserve("a");
      started.kill();
      Thread restart =
          new Thread(
              () -> {
                try {
                  started = new UnseenProcess(directory, "--port", "" + startedPort);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      restart.start();
      assertThat(reservation.commit()).isTrue();
      restart.join();
      assertThat(orders.wasSeen("a")).isTrue();
      started.close();
    }
  }

  @Test
  void a_failed_commit_is_not_rolled_back_and_can_be_repeated() throws Exception {
    started = new UnseenProcess(directory);
    try (ServerReservations orders =
        client(started.port()).commandTimeout(Duration.ofSeconds(5)).build()) {
      Reservation reservation = orders.reserve("a");
      started.kill();
      assertThatThrownBy(reservation::commit).isInstanceOf(StoreUnavailableException.class);
      reservation.close();
      try (UnseenProcess again = new UnseenProcess(directory, "--port", "" + started.port())) {
        assertThat(again.port()).isEqualTo(started.port());
        Patience.await("the commit").until(reservation::commit);
        assertThat(reservation.commit()).isFalse();
        assertThat(orders.wasSeen("a")).isTrue();
      }
    }
  }

  @Test
  void a_commit_after_the_end_of_its_reservation_says_who_was_faster() throws IOException {
    try (UnseenProcess server = new UnseenProcess(directory);
        ServerReservations brief =
            client(server.port()).reservationTime(Duration.ofMillis(10)).build();
        ServerReservations orders = client(server.port()).build()) {
      Reservation alone = brief.reserve("a");
      Reservation overtaken = brief.reserve("b");
      Patience.await("the end of the reservation").until(() -> orders.reserve("b").commit());
      assertThat(alone.commit()).isTrue();
      assertThat(orders.wasSeen("a")).isTrue();
      assertThat(overtaken.commit()).isFalse();
    }
  }

  @Test
  void a_server_that_does_not_reply_is_given_up_after_the_timeout() throws Exception {
    try (UnseenProcess server = new UnseenProcess(directory);
        ServerReservations patient = client(server.port()).build();
        ServerReservations orders =
            client(server.port()).commandTimeout(Duration.ofMillis(200)).build()) {
      patient.check();
      signal("-STOP", server.pid());
      assertThatThrownBy(() -> orders.reserve("a"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("200 ms");
      signal("-CONT", server.pid());
      assertThat(patient.reserve("b").commit()).isTrue();
    }
  }

  @Test
  void closing_ends_calls_that_wait_and_rejects_others() throws Exception {
    try (UnseenProcess server = new UnseenProcess(directory)) {
      ServerReservations orders = client(server.port()).commandTimeout(Patience.LIMIT).build();
      orders.check();
      signal("-STOP", server.pid());
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      Thread waiting =
          new Thread(
              () -> {
                try {
                  orders.reserve("a");
                } catch (RuntimeException e) {
                  failures.add(e);
                }
              });
      waiting.start();
      Patience.await("the call").until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
      orders.close();
      waiting.join();
      signal("-CONT", server.pid());
      assertThat(failures).singleElement().isInstanceOf(StoreUnavailableException.class);
      assertThatThrownBy(() -> orders.reserve("a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is closed; build another one");
    }
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(Patience.exitCode(new ProcessBuilder("kill", name, "" + pid).start())).isZero();
  }

  @Test
  void a_missing_server_is_named() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    try (ServerReservations orders = client(free).build()) {
      assertThatThrownBy(orders::check)
          .isInstanceOfSatisfying(
              StoreUnavailableException.class, e -> assertThat(e.isMaybeExecuted()).isFalse())
          .hasMessageContaining("the server at 127.0.0.1:" + free + " cannot be reached (")
          .hasMessageContaining("refused")
          .hasMessageContaining("start `unseen serve` there, or correct the URI");
    }
  }

  @Test
  void a_server_that_loads_is_unavailable() throws IOException {
    try (UnseenServer server =
            UnseenServer.listen(ServeOptions.parse("--port", "0", "--dir", directory.toString()));
        ServerReservations orders = client(server.port()).build()) {
      assertThatThrownBy(() -> orders.reserve("a"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("cannot serve at present: LOADING");
      server.load();
      assertThat(orders.reserve("a").status()).isEqualTo(Status.GRANTED);
    }
  }

  @Test
  void passwords_are_checked_and_not_shown() throws IOException {
    Path users = directory.resolve("users");
    Files.writeString(users, "default s3cret admin\nreader look read\nwriter w write\n");
    Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
    try (UnseenProcess server =
        new UnseenProcess(directory.resolve("data"), "--auth-file", users.toString())) {
      String address = "127.0.0.1:" + server.port();
      rejects("redis://" + address, "NOAUTH", "redis://user:password@host");
      rejects("redis://default:wr0ng@" + address, "WRONGPASS", "redis://user:password@host");
      rejects("redis://reader:look@" + address, "NOPERM", "the right 'write'");
      try (ServerReservations orders = client(0).uri("redis://default:s3cret@" + address).build();
          ServerReservations writer =
              client(0).uri("redis://" + address).credentials("writer", "w").build()) {
        assertThat(orders.reserve("a").commit()).isTrue();
        assertThat(writer.reserve("b").commit()).isTrue();
        writer.clear();
        assertThat(orders.wasSeen("a")).isFalse();
      }
    }
  }

  private static void rejects(String uri, String reply, String remedy) {
    try (ServerReservations orders = client(0).uri(uri).build()) {
      assertThatThrownBy(() -> orders.reserve("a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("rejected")
          .hasMessageContaining(reply)
          .hasMessageContaining(remedy)
          .hasMessageNotContainingAny("wr0ng", "look@");
    }
  }

  @Test
  void filters_that_cannot_be_used_are_rejected_with_the_remedy() throws IOException {
    try (UnseenProcess server = new UnseenProcess(directory)) {
      String uri = "redis://127.0.0.1:" + server.port();
      ServerReservations.Builder plain = ServerReservations.builder().uri(uri).key("orders");
      try (ServerReservations orders = plain.build()) {
        assertThatThrownBy(() -> orders.reserve("a"))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("ERR not found; create the filter with BF.RESERVE orders");
        assertThatThrownBy(orders::clear).hasMessageContaining("createIfMissing");
      }
    }
  }

  @Test
  void tls_is_spoken() throws Exception {
    Path key = directory.resolve("key.pem");
    Path certificate = directory.resolve("cert.pem");
    assumeTrue(hasOpenssl(), "openssl is missing");
    Process openssl =
        new ProcessBuilder(
                "openssl",
                "req",
                "-x509",
                "-nodes",
                "-days",
                "2",
                "-newkey",
                "rsa:2048",
                "-subj",
                "/CN=localhost",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString())
            .redirectErrorStream(true)
            .start();
    openssl.getInputStream().readAllBytes();
    assertThat(Patience.exitCode(openssl)).isZero();
    try (UnseenProcess server =
        new UnseenProcess(
            directory.resolve("data"),
            "--tls-cert",
            certificate.toString(),
            "--tls-key",
            key.toString())) {
      String address = "rediss://localhost:" + server.port();
      try (ServerReservations orders = client(0).uri(address + "?verifyPeer=NONE").build()) {
        assertThat(orders.reserve("a").commit()).isTrue();
      }
      try (ServerReservations orders = client(0).uri(address).build()) {
        assertThatThrownBy(orders::check)
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessageContaining("certification path");
      }
    }
  }

  private static boolean hasOpenssl() {
    try {
      return Patience.exitCode(new ProcessBuilder("openssl", "version").start()) == 0;
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }

  @Test
  void options_are_checked() {
    assertThatThrownBy(() -> ServerReservations.builder().uri("http://localhost"))
        .hasMessage("uri must begin with redis:// or rediss://, and begins with 'http'");
    assertThatThrownBy(() -> ServerReservations.builder().key("k").build())
        .hasMessage("uri is missing; name the server, redis://host:port");
    assertThatThrownBy(() -> ServerReservations.builder().uri("redis://localhost").build())
        .hasMessage("key is missing; name the filter on the server");
    assertThatThrownBy(() -> ServerReservations.builder().reservationTime(Duration.ZERO))
        .hasMessage("reservationTime (PT0S) must be 10 ms to 366 days");
    assertThatThrownBy(() -> ServerReservations.builder().createIfMissing(0, 1, Duration.ofDays(1)))
        .hasMessageContaining("maxFalsePositiveRate (0.0) must be above 0 and below 1");
  }
}
