package dev.unseen.spring.idempotent;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
final class ExchangeRecording implements Recording {
  private static final int OK = 200;

  private final ServerHttpRequest request;
  private final ServerHttpResponse response;
  private final Fingerprint hash = new Fingerprint();
  private final BodyCopy body;
  private boolean subscribed;
  private boolean read;
  private boolean stream;
  private String fingerprint; // null: not known yet
  private Map<String, List<String>> headersBefore; // null: not recorded

  ExchangeRecording(ServerWebExchange exchange, int limit) {
    this.request = new HashedRequest(exchange.getRequest());
    this.read = exchange.getRequest().getHeaders().getContentLength() == 0;
    this.subscribed = read; // nothing is left to read
    this.response = exchange.getResponse();
    this.body = new BodyCopy(limit);
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
                    : request.getBody().doOnNext(DataBufferUtils::release).then())
        .onErrorComplete();
  }

  private synchronized boolean isSubscribed() {
    return subscribed;
  }

  @Override
  public synchronized void start() {
    if (headersBefore == null) {
      headersBefore = headers();
    }
  }

  private Map<String, List<String>> headers() {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    response.getHeaders().forEach((name, values) -> headers.put(name, List.copyOf(values)));
    return headers;
  }

  /** Copies a part of the response. */
  synchronized void add(DataBuffer part) {
    if (headersBefore != null && body.fits()) {
      byte[] bytes = bytes(part);
      body.add(bytes, 0, bytes.length);
    }
  }

  /** Marks the response as a stream, which is complete when it was sent. */
  synchronized void setStream() {
    stream = true;
  }

  /** Drops the response, which is sent in a way that is not recorded. */
  synchronized void discard() {
    stream = true;
    body.discard();
  }

  /** Returns whether the response is known before any of it is sent. */
  synchronized boolean isComplete() {
    return headersBefore != null && !stream;
  }

  private static byte[] bytes(DataBuffer buffer) {
    byte[] bytes = new byte[buffer.readableByteCount()];
    buffer.toByteBuffer(ByteBuffer.wrap(bytes));
    return bytes;
  }

  @Override
  public synchronized String fingerprint() {
    if (fingerprint == null) {
      fingerprint =
          read
              ? hash.add(
                      List.of(
                          request.getMethod().name(),
                          RequestPaths.key(request.getPath()),
                          String.valueOf(request.getURI().getRawQuery())))
                  .hex()
              : "";
    }
    return fingerprint;
  }

  @Override
  public synchronized Optional<StoredResponse> response() {
    HttpStatusCode status = response.getStatusCode();
    return body.fits()
        ? Optional.of(
            new StoredResponse(
                fingerprint(),
                status == null ? OK : status.value(),
                StoredResponse.added(headersBefore, headers()),
                body.bytes()))
        : Optional.empty();
  }

  /** Hashes what is read. */
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
