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
  private final ExchangeRecording recording; // null: responses are not kept

  private WatchedResponse(
      ServerHttpResponse delegate,
      Consumer<Throwable> onFailure,
      Runnable onCancel,
      ExchangeRecording recording) {
    super(delegate);
    this.recording = recording;
    this.onFailure = onFailure;
    this.onCancel = onCancel;
  }

  /** Returns a response that reports. It can send files as well as the one that it watches. */
  static WatchedResponse of(
      ServerHttpResponse response,
      Consumer<Throwable> onFailure,
      Runnable onCancel,
      ExchangeRecording recording) {
    return response instanceof ZeroCopyHttpOutputMessage
        ? new OfFiles(response, onFailure, onCancel, recording)
        : new WatchedResponse(response, onFailure, onCancel, recording);
  }

  @Override
  public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
    boolean stream = !(body instanceof Mono);
    Publisher<? extends DataBuffer> sent = body;
    if (recording != null) {
      sent =
          stream
              ? Flux.from(body).doOnNext(recording::add)
              : Mono.from(body).doOnNext(recording::add);
      if (stream) {
        recording.setStream();
      }
    }
    return super.writeWith(stream ? watched(sent) : sent);
  }

  @Override
  public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
    discard();
    return super.writeAndFlushWith(watched(body));
  }

  final void discard() {
    if (recording != null) {
      recording.discard();
    }
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
    OfFiles(
        ServerHttpResponse delegate,
        Consumer<Throwable> onFailure,
        Runnable onCancel,
        ExchangeRecording recording) {
      super(delegate, onFailure, onCancel, recording);
    }

    @Override
    public Mono<Void> writeWith(Path file, long position, long count) {
      discard();
      return ((ZeroCopyHttpOutputMessage) getDelegate()).writeWith(file, position, count);
    }
  }
}
