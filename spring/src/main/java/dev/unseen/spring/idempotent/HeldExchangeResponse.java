package dev.unseen.spring.idempotent;

import dev.unseen.spring.idempotent.ResponseWork.End;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A response of WebFlux that the client has completely only when its work has ended. When the
 * headers are about to be sent, the status is final. Nothing but the network can then fail, except
 * for streams: their work ends when all parts are there, and their end, or the last part of a
 * declared length, waits for that.
 *
 * <p>A stream breaks if it fails after its start was sent, or is canceled because the client has
 * disconnected. Afterwards the response may look as if it had been sent.
 */
class HeldExchangeResponse extends ServerHttpResponseDecorator {
  private static final int OK = 200;

  private final ResponseWork work;
  private final ExchangeRecording recording; // null: responses are not kept
  private final BooleanSupplier blocks;
  private volatile boolean stream;

  private HeldExchangeResponse(
      ServerHttpResponse delegate, ResponseWork work, BooleanSupplier blocks) {
    super(delegate);
    this.work = work;
    this.recording = (ExchangeRecording) work.recording();
    this.blocks = blocks;
  }

  /**
   * Returns a response that can send files as well as the one that it passes on to.
   *
   * @param blocks whether the end of the work may wait for a network
   */
  static HeldExchangeResponse of(
      ServerHttpResponse response, ResponseWork work, BooleanSupplier blocks) {
    HeldExchangeResponse held =
        response instanceof ZeroCopyHttpOutputMessage
            ? new OfFiles(response, work, blocks)
            : new HeldExchangeResponse(response, work, blocks);
    response.beforeCommit(held::beforeCommit);
    return held;
  }

  private Mono<Void> beforeCommit() {
    return End.of(status()) == End.FAILED || (!stream && work.isReturned())
        ? endWork()
        : Mono.empty();
  }

  private int status() {
    HttpStatusCode status = getStatusCode();
    return status == null ? OK : status.value();
  }

  private Mono<Void> endWork() {
    End end = End.of(status());
    return recording != null && work.isBegun() && end == End.SUCCEEDED
        ? recording.readRequest().then(Mono.defer(() -> end(end)))
        : end(end);
  }

  private Mono<Void> end(End end) {
    return ReactiveCalls.run(work.isBegun() && blocks.getAsBoolean(), () -> work.end(end));
  }

  /** Ends the work of a response that was sent. */
  void complete() {
    Disposable unused = end(End.of(status())).subscribe();
  }

  /** Ends the work of a response that this exception kept from being sent. */
  void fail(Throwable failure) {
    Disposable unused = end(End.of(status(), failure)).subscribe();
  }

  /** Ends the work of a response whose client has disconnected. */
  void cancel() {
    End end = End.of(status()) == End.SUCCEEDED ? End.ABORTED : End.FAILED;
    Disposable unused = end(end).subscribe();
  }

  @Override
  public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
    stream = !(body instanceof Mono);
    if (!stream) {
      Mono<DataBuffer> part = Mono.from(body);
      return super.writeWith(recording == null ? part : part.doOnNext(recording::add));
    }
    Flux<DataBuffer> parts = Flux.from(body);
    return super.writeWith(
        held(holdLast(recording == null ? parts : parts.doOnNext(recording::add))));
  }

  @Override
  public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
    stream = true;
    discard();
    Flux<Publisher<? extends DataBuffer>> parts = Flux.from(body);
    return super.writeAndFlushWith(held(parts));
  }

  @Override
  public Mono<Void> setComplete() {
    stream = false;
    return super.setComplete();
  }

  /** Drops the recording of a response that is sent in a way that is not recorded. */
  final void discard() {
    if (recording != null) {
      recording.discard();
    }
  }

  private Flux<DataBuffer> holdLast(Flux<DataBuffer> parts) {
    long length = getHeaders().getContentLength();
    if (length < 0) {
      return parts;
    }
    AtomicLong left = new AtomicLong(length);
    return parts
        .concatMap(
            part ->
                left.addAndGet(-part.readableByteCount()) == 0
                    ? Mono.just(part).delayUntil(last -> endWork())
                    : Mono.just(part),
            1)
        .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
  }

  private <T> Flux<T> held(Flux<T> parts) {
    AtomicBoolean ended = new AtomicBoolean();
    return parts
        .concatWith(Mono.defer(this::endWork).then(Mono.<T>empty()))
        .doOnTerminate(() -> ended.set(true))
        .doOnError(
            failure -> {
              if (isCommitted()) { // otherwise there is another response
                fail(failure);
              }
            })
        .doOnCancel(
            () -> {
              if (!ended.get()) {
                cancel();
              }
            });
  }

  /** A response that can send a file without copying it. */
  private static final class OfFiles extends HeldExchangeResponse
      implements ZeroCopyHttpOutputMessage {
    OfFiles(ServerHttpResponse delegate, ResponseWork work, BooleanSupplier blocks) {
      super(delegate, work, blocks);
    }

    @Override
    public Mono<Void> writeWith(Path file, long position, long count) {
      discard();
      return ((ZeroCopyHttpOutputMessage) getDelegate()).writeWith(file, position, count);
    }
  }
}
