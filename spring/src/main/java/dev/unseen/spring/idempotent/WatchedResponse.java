package dev.unseen.spring.idempotent;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A response of WebFlux that reports if the stream that it sends breaks: if the stream fails after
 * its start was sent, or is canceled because the client has disconnected. Afterwards the response
 * may look as if it had been sent.
 */
class WatchedResponse extends ServerHttpResponseDecorator {
  private final Consumer<Throwable> onFailure;
  private final Runnable onCancel;

  private WatchedResponse(
      ServerHttpResponse delegate, Consumer<Throwable> onFailure, Runnable onCancel) {
    super(delegate);
    this.onFailure = onFailure;
    this.onCancel = onCancel;
  }

  /** Returns a response that reports. It can send files as well as the one that it watches. */
  static WatchedResponse of(
      ServerHttpResponse response, Consumer<Throwable> onFailure, Runnable onCancel) {
    return response instanceof ZeroCopyHttpOutputMessage
        ? new OfFiles(response, onFailure, onCancel)
        : new WatchedResponse(response, onFailure, onCancel);
  }

  @Override
  public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
    return super.writeWith(body instanceof Mono ? body : watched(body)); // a Mono is not a stream
  }

  @Override
  public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
    return super.writeAndFlushWith(watched(body));
  }

  private <T> Flux<T> watched(Publisher<T> body) {
    AtomicBoolean ended = new AtomicBoolean();
    return Flux.from(body)
        .doOnTerminate(() -> ended.set(true))
        .doOnError(
            failure -> {
              if (isCommitted()) { // otherwise there is another response
                onFailure.accept(failure);
              }
            })
        .doOnCancel(
            () -> {
              if (!ended.get()) {
                onCancel.run();
              }
            });
  }

  /** A response that can send a file without copying it. */
  private static final class OfFiles extends WatchedResponse implements ZeroCopyHttpOutputMessage {
    OfFiles(ServerHttpResponse delegate, Consumer<Throwable> onFailure, Runnable onCancel) {
      super(delegate, onFailure, onCancel);
    }

    @Override
    public Mono<Void> writeWith(Path file, long position, long count) {
      return ((ZeroCopyHttpOutputMessage) getDelegate()).writeWith(file, position, count);
    }
  }
}
