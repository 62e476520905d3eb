package dev.unseen.spring;

import java.io.IOException;
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
