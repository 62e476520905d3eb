package dev.unseen.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
  void a_view_shows_the_traffic_of_each_second() throws Exception {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      client.say("BF.ADD clicks first");
      while (server.server().view().filters().get(0).last().duplicates() == 0) {
        client.say("BF.ADD clicks first");
        Thread.sleep(10);
      }
      assertThat(server.server().view().filters().get(0).name()).isEqualTo("clicks");
    }
  }
}
