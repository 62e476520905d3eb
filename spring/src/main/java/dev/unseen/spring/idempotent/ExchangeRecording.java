package dev.unseen.spring.idempotent;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A request to WebFlux and its response. The body of the request is hashed while it is read, or
 * when it is asked for if nobody has read it.
 */
final class ExchangeRecording extends Recording {
  private static final int OK = 200;

  private final ServerHttpRequest request;
  private final ServerHttpResponse response;
  private final Fingerprint hash = new Fingerprint();
  private boolean subscribed;
  private boolean read;
  private String fingerprint; // null: not known yet

  ExchangeRecording(ServerWebExchange exchange, int limit) {
    super(limit);
    this.request = new HashedRequest(exchange.getRequest());
    this.read = exchange.getRequest().getHeaders().getContentLength() == 0;
    this.subscribed = read; // nothing is left to read
    this.response = exchange.getResponse();
  }

  /** Returns the request to pass on. */
  ServerHttpRequest request() {
    return request;
  }

  /** Reads what nobody has read of the request's body, if that can be done. */
  Mono<Void> readRequest() {
    return Mono.defer(
            () ->
                isSubscribed()
                    ? Mono.<Void>empty()
                    : request.getBody().map(DataBufferUtils::release).then()) // none is discarded
        .onErrorComplete();
  }

  private synchronized boolean isSubscribed() {
    return subscribed;
  }

  @Override
  int status() {
    HttpStatusCode status = response.getStatusCode();
    return status == null ? OK : status.value();
  }

  @Override
  Map<String, List<String>> headers() {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    response.getHeaders().forEach((name, values) -> headers.put(name, List.copyOf(values)));
    return headers;
  }

  void add(DataBuffer part) {
    if (isStarted()) {
      byte[] bytes = bytes(part);
      add(bytes, 0, bytes.length);
    }
  }

  private static byte[] bytes(DataBuffer buffer) {
    byte[] bytes = new byte[buffer.readableByteCount()];
    buffer.toByteBuffer(ByteBuffer.wrap(bytes));
    return bytes;
  }

  @Override
  synchronized String fingerprint() {
    if (fingerprint == null) {
      fingerprint =
          read
              ? hash.add(
                      List.of(
                          request.getMethod().name(),
                          FilteredKeys.pathKey(request.getPath()),
                          String.valueOf(request.getURI().getRawQuery())))
                  .hex()
              : "";
    }
    return fingerprint;
  }

  private final class HashedRequest extends ServerHttpRequestDecorator {
    HashedRequest(ServerHttpRequest request) {
      super(request);
    }

    @Override
    public Flux<DataBuffer> getBody() {
      return super.getBody()
          .doOnSubscribe(subscription -> set(false))
          .doOnNext(this::add)
          .doOnComplete(() -> set(true));
    }

    private void set(boolean complete) {
      synchronized (ExchangeRecording.this) {
        subscribed = true;
        read = complete;
      }
    }

    private void add(DataBuffer part) {
      synchronized (ExchangeRecording.this) {
        hash.add(ByteBuffer.wrap(bytes(part)));
      }
    }
  }
}
