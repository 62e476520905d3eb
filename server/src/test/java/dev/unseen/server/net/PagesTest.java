package dev.unseen.server.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PagesTest {
  private static HttpResponse<String> get(TestServer server, String path) throws Exception {
    URI uri = URI.create("http://localhost:" + server.server().httpPort().getAsInt() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void metrics_have_a_label_for_each_filter() throws Exception {
    try (TestServer server = new TestServer("--http", "0");
        RawClient client = server.client()) {
      client.say("BF.MADD clicks a b a");
      client.say("SET k 1 NX EX 60");
      HttpResponse<String> metrics = get(server, "/metrics");
      assertThat(metrics.statusCode()).isEqualTo(200);
      assertThat(metrics.headers().firstValue("content-type").orElse(""))
          .startsWith("text/plain; version=0.0.4");
      assertThat(metrics.body())
          .contains("unseen_records_total{filter=\"clicks\"} 3\n")
          .contains("unseen_duplicates_total{filter=\"clicks\"} 1\n")
          .contains("unseen_records_total{filter=\"SET EX 1m\"} 1\n")
          .contains("unseen_server_clients 1\n");
      assertThat(get(server, "/healthz").body()).isEqualTo("ok\n");
      assertThat(get(server, "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(server, "/nothing").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void no_two_filters_have_the_same_label() throws Exception {
    try (TestServer server = new TestServer("--http", "0");
        RawClient client = server.client()) {
      assertThat(client.ask("BF.ADD", "SET EX 1m", "a"))
          .startsWith("-ERR the name 'SET EX 1m' is reserved");
      assertThat(client.ask("BF.ADD", "ÿ", "a")).isEqualTo(":1");
      client.send("*3\r\n$6\r\nBF.ADD\r\n$1\r\n\u00ff\r\n$1\r\na\r\n".getBytes(ISO_8859_1));
      assertThat(client.reply()).isEqualTo(":1");
      assertThat(get(server, "/metrics").body())
          .contains("unseen_records_total{filter=\"ÿ\"} 1\n")
          .contains("unseen_records_total{filter=\"\\\\xff\"} 1\n");
    }
  }

  @Test
  void names_with_invisible_characters_are_distinct_and_can_be_queried() throws Exception {
    try (TestServer server = new TestServer("--http", "0");
        RawClient client = server.client()) {
      client.ask("BF.ADD", "e\\xff", "text");
      client.send("*3\r\n$6\r\nBF.ADD\r\n$2\r\ne\u00ff\r\n$5\r\nbytes\r\n".getBytes(ISO_8859_1));
      assertThat(client.reply()).isEqualTo(":1");
      client.ask("BF.ADD", "a\r\n", "line");
      client.ask("BF.ADD", "", "nameless");
      assertThat(get(server, "/metrics").body())
          .contains("unseen_records_total{filter=\"e\\\\\\\\xff\"} 1\n")
          .contains("unseen_records_total{filter=\"e\\\\xff\"} 1\n")
          .contains("unseen_records_total{filter=\"a\\\\x0d\\\\x0a\"} 1\n")
          .contains("unseen_records_total{filter=\"\\\\(empty)\"} 1\n");
      for (String[] pair :
          new String[][] {
            {"e\\\\xff", "text"},
            {"e\\xff", "bytes"},
            {"a\\x0d\\x0a", "line"},
            {"\\(empty)", "nameless"}
          }) {
        String name = URLEncoder.encode(pair[0], UTF_8);
        assertThat(get(server, "/try?filter=" + name + "&item=" + pair[1]).body())
            .as(pair[0])
            .contains("\"seen\":true");
        assertThat(get(server, "/try?filter=" + name + "&item=other").body())
            .as(pair[0])
            .contains("\"seen\":false");
        assertThat(get(server, "/history?filter=" + name).statusCode()).isEqualTo(200);
      }
      assertThat(get(server, "/try?item=nameless").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void pages_cannot_be_framed_and_load_nothing_from_elsewhere() throws Exception {
    try (TestServer server = new TestServer("--http", "0")) {
      for (String path : new String[] {"/", "/metrics", "/nothing"}) {
        HttpResponse<String> reply = get(server, path);
        assertThat(reply.headers().firstValue("content-security-policy").orElse(""))
            .contains("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'");
        assertThat(reply.headers().firstValue("x-content-type-options")).hasValue("nosniff");
        assertThat(reply.headers().firstValue("x-frame-options")).hasValue("DENY");
      }
    }
  }

  /** Sends a request that names this host, and returns the first line of the reply. */
  private static String ask(InetAddress address, TestServer server, String host, String path)
      throws IOException {
    try (Socket socket = new Socket(address, server.server().httpPort().getAsInt())) {
      socket.setSoTimeout((int) Patience.LIMIT.toMillis());
      socket
          .getOutputStream()
          .write(
              "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                  .formatted(path, host)
                  .getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII).lines().findFirst().get();
    }
  }

  @Test
  void hosts_that_are_neither_addresses_nor_listed_are_rejected() throws Exception {
    try (TestServer server =
        new TestServer("--http", "0", "--http-hosts", "a.example, B.example")) {
      for (String host :
          List.of(
              "localhost:1",
              "127.0.0.1",
              "[::1]:80",
              "10.1.2.3:7380",
              "a.example",
              "b.example:1")) {
        assertThat(ask(InetAddress.getLoopbackAddress(), server, host, "/healthz"))
            .as(host)
            .isEqualTo("HTTP/1.1 200 OK");
      }
      for (String host : List.of("evil.example", "127.example.com", "127.0.0.1.evil", "[evil]")) {
        assertThat(ask(InetAddress.getLoopbackAddress(), server, host, "/healthz"))
            .as(host)
            .isEqualTo("HTTP/1.1 403 Forbidden");
      }
    }
  }

  @Test
  void other_machines_read_metrics_and_health_only() throws Exception {
    InetAddress own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
            .findFirst()
            .orElse(null);
    assumeTrue(own != null, "this machine has no address but those of itself");
    try (TestServer server = new TestServer("--http", "0", "--http-bind", own.getHostAddress())) {
      for (String path : List.of("/healthz", "/readyz", "/metrics")) {
        assertThat(ask(own, server, own.getHostAddress(), path))
            .as(path)
            .isEqualTo("HTTP/1.1 200 OK");
      }
      for (String path : List.of("/", "/events", "/history?filter=f", "/try?filter=f&item=a")) {
        assertThat(ask(own, server, own.getHostAddress(), path))
            .as(path)
            .isEqualTo("HTTP/1.1 403 Forbidden");
      }
    }
  }

  @Test
  void half_requests_do_not_keep_others_out() throws Exception {
    List<Socket> half = new ArrayList<>();
    try (TestServer server = new TestServer("--http", "0")) {
      for (int i = 0; i < 600; i++) { // the limit is 500
        half.add(connect(server));
        half.get(i).getOutputStream().write("GET /healthz HTTP/1.1\r\n".getBytes(US_ASCII));
      }
      assertThat(ask(InetAddress.getLoopbackAddress(), server, "localhost", "/healthz"))
          .isEqualTo("HTTP/1.1 200 OK");
      assertThat(half.get(0).getInputStream().read()).as("closed").isEqualTo(-1);
    } finally {
      for (Socket socket : half) {
        socket.close();
      }
    }
  }

  @Test
  void replies_that_are_not_finished_do_not_keep_others_out() throws Exception {
    AtomicBoolean stalled = new AtomicBoolean(true);
    Listener listener = new Listener(1);
    Pages pages =
        new Pages(
                task -> {
                  if (!stalled.get()) {
                    task.run();
                  }
                },
                Set.of())
            .add("/page", () -> Pages.Page.text(200, "here"));
    int port = listener.serve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), pages);
    List<Socket> asking = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) { // the limit is 500
        asking.add(new Socket(InetAddress.getLoopbackAddress(), port));
        asking.get(i).getOutputStream().write("GET /page HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
      }
      asking.get(0).setSoTimeout((int) Patience.LIMIT.toMillis());
      assertThat(asking.get(0).getInputStream().read()).as("closed").isEqualTo(-1);
      stalled.set(false);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        socket
            .getOutputStream()
            .write("GET /page HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII)).endsWith("here");
      }
    } finally {
      for (Socket socket : asking) {
        socket.close();
      }
      listener.close();
    }
  }

  @Test
  void the_404_page_lists_all_paths() throws Exception {
    try (TestServer server = new TestServer("--http", "0")) {
      HttpResponse<String> reply = get(server, "/nothing");
      assertThat(reply.statusCode()).isEqualTo(404);
      assertThat(reply.body())
          .isEqualTo("there is: / /events /healthz /history /metrics /readyz /try\n");
    }
  }

  @Test
  void the_history_has_the_traffic_of_each_second() throws Exception {
    try (TestServer server = new TestServer("--http", "0");
        RawClient client = server.client()) {
      client.say("BF.ADD clicks first");
      Patience.await("a second with duplicates")
          .until(
              () -> {
                client.say("BF.ADD clicks first");
                return get(server, "/history?filter=clicks")
                    .body()
                    .matches(".*\"duplicates\":[^]]*[1-9].*");
              });
      assertThat(get(server, "/history?filter=other").body()).doesNotContainPattern("[1-9]");
    }
  }

  @Test
  void the_sums_of_the_live_page_are_those_of_all_filters() throws Exception {
    try (TestServer server = new TestServer("--http", "0");
        RawClient client = server.client()) {
      for (int i = 0; i < 101; i++) { // the page shows 100
        client.say("BF.RESERVE f%d 0.01 10".formatted(i));
        client.say("BF.MADD f%d a b c".formatted(i));
      }
      client.say("BF.RESERVE last 0.01 100 WINDOW 1s"); // is never full, so it is not urgent
      URI uri = URI.create("http://localhost:" + server.server().httpPort().getAsInt() + "/events");
      HttpResponse<Stream<String>> events =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofLines());
      try (Stream<String> lines = events.body()) {
        Iterator<String> all = lines.iterator();
        eventWith("],\"fresh\":0,\"duplicates\":0,", all);
        client.say("BF.MADD last a b");
        String event = eventWith("],\"fresh\":2,\"duplicates\":0,", all);
        assertThat(event).doesNotContain("\"name\":\"last\"");
      }
    }
  }

  private static String eventWith(String part, Iterator<String> events) {
    for (int i = 0; i < 1000; i++) {
      String event = events.next();
      if (event.contains(part)) {
        return event;
      }
    }
    throw new AssertionError("no event has " + part);
  }

  @Test
  void an_address_that_cannot_be_read_is_answered() throws Exception {
    try (TestServer server = new TestServer("--http", "0");
        Socket socket = connect(server)) {
      socket.getOutputStream().write("GET /try?filter=%zz HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .startsWith("HTTP/1.1 400 Bad Request");
    }
  }

  @Test
  void requests_in_one_write_are_answered_in_their_order() throws Exception {
    try (TestServer server = new TestServer("--http", "0");
        Socket socket = connect(server)) {
      String last = "GET /nothing HTTP/1.1\r\nConnection: close\r\n\r\n";
      socket
          .getOutputStream()
          .write(("GET /healthz HTTP/1.1\r\n\r\n".repeat(10) + last).getBytes(US_ASCII));
      String replies = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      assertThat(replies.split("HTTP/1.1 200 OK", -1)).hasSize(11);
      assertThat(replies.substring(replies.lastIndexOf("HTTP/1.1"))).startsWith("HTTP/1.1 404");
    }
  }

  @Test
  void pages_that_nobody_reads_are_not_made() throws Exception {
    AtomicInteger made = new AtomicInteger();
    Listener listener = new Listener(1);
    Pages pages =
        new Pages(Runnable::run, Set.of())
            .add(
                "/large",
                () -> {
                  made.incrementAndGet();
                  return Pages.Page.text(200, "x".repeat(1 << 20));
                });
    int port = listener.serve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), pages);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write("GET /large HTTP/1.1\r\n\r\n".repeat(1000).getBytes(US_ASCII));
      for (int before = -1; made.get() == 0 || before != made.get(); Thread.sleep(500)) {
        before = made.get();
      }
      assertThat(made.get()).isBetween(1, 20); // what fits into the buffers of the system, and one
    } finally {
      listener.close();
    }
  }

  private static Socket connect(TestServer server) throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), server.server().httpPort().getAsInt());
    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
    return socket;
  }
}
