package dev.unseen.spring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** Sends real requests to an application on this machine. */
public final class HttpCalls {
  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  public HttpCalls(int port) {
    this.port = port;
  }

  public HttpResponse<String> get(String path) {
    return send(request(path).GET());
  }

  /** Sends a POST with an idempotency key, unless that is null. */
  public HttpResponse<String> post(String path, String key) {
    return send(keyed(path, key));
  }

  /** Sends a POST with a body. */
  public HttpResponse<String> post(String path, String key, String type, String body) {
    return send(keyed(path, key).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
  }

  /** Sends a POST with two idempotency keys. */
  public HttpResponse<String> postTwice(String path, String key, String another) {
    return send(keyed(path, key).header("Idempotency-Key", another));
  }

  /** Sends a POST as a user. */
  public HttpResponse<String> post(String path, String key, String user) {
    return send(keyed(path, key).header("User", user));
  }

  public CompletableFuture<HttpResponse<String>> postLater(String path, String key) {
    return client.sendAsync(keyed(path, key).build(), BodyHandlers.ofString());
  }

  /** Sends a POST, reads the start of its response, and disconnects. */
  public void disconnectFrom(String path, String key) {
    try (Socket socket = send(path, key)) {
      assertThat(socket.getInputStream().read()).isPositive();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Socket send(String path, String key) throws IOException {
    Socket socket = new Socket("localhost", port);
    socket.setSoLinger(true, 0); // closing it resets the connection
    String request =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: %s\r\nContent-Length: 0\r\n\r\n"
            .formatted(path, key);
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    return socket;
  }

  /** Sends a POST, does something else, and disconnects without reading a response. */
  public void disconnectFrom(String path, String key, Runnable meanwhile) {
    try (Socket socket = send(path, key)) {
      meanwhile.run();
      assertThat(socket.isClosed()).isFalse();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private HttpRequest.Builder keyed(String path, String key) {
    HttpRequest.Builder post = request(path).POST(BodyPublishers.noBody());
    return key == null ? post : post.header("Idempotency-Key", key);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
