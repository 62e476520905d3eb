package dev.unseen.spring.idempotent;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Reserves a key when a Mono or Flux is subscribed to, calls the method then, and ends the work
 * when that completes, or with the response to the request that it handles. An error or a
 * cancellation releases the key, unless an error becomes a response that succeeds.
 *
 * @param end ends work that has given a value, or null
 * @param done takes the value, or null, of work that ends with the response
 */
record ReactiveWork(
    IdempotentOperation operation,
    Supplier<MethodInvocation> call,
    KeyHolder holder,
    String key,
    BiConsumer<KeyedWork, Object> end,
    BiConsumer<KeyedWork, Object> done) {

  Mono<Object> mono() {
    return Mono.deferContextual(
        context -> {
          ResponseWork response = response(context);
          if (response == null) {
            return monoAlone();
          }
          return ExchangeResponses.begin(response, holder, key)
              .flatMap(
                  work ->
                      Mono.<Object>from(proceed())
                          .doOnSuccess(value -> done.accept(work, value))
                          .doOnError(ResponseWork::isDisconnect, error -> work.fail()));
        });
  }

  Flux<Object> flux() {
    return Flux.deferContextual(
        context -> {
          ResponseWork response = response(context);
          if (response == null) {
            return fluxAlone();
          }
          return ExchangeResponses.begin(response, holder, key)
              .flatMapMany(
                  work ->
                      Flux.<Object>from(proceed())
                          .doOnComplete(() -> done.accept(work, null))
                          .doOnError(ResponseWork::isDisconnect, error -> work.fail()));
        });
  }

  /** Returns the work that ends with the response, or null if this call does not make it. */
  private ResponseWork response(ContextView context) {
    ResponseWork response =
        operation.isHandler() ? context.getOrDefault(ResponseWork.class, null) : null;
    return response != null && response.isOf(operation) ? response : null;
  }

  private Mono<Object> monoAlone() {
    AtomicReference<Object> value = new AtomicReference<>();
    return Mono.usingWhen(
        begin(),
        work -> Mono.<Object>from(proceed()).doOnNext(value::set),
        work -> run(() -> end.accept(work, value.get())),
        (work, error) -> run(work::fail),
        work -> run(work::fail));
  }

  private Flux<Object> fluxAlone() {
    return Flux.usingWhen(
        begin(),
        work -> Flux.<Object>from(proceed()),
        work -> run(() -> end.accept(work, null)),
        (work, error) -> run(work::fail),
        work -> run(work::fail));
  }

  private Mono<KeyedWork> begin() {
    return ReactiveCalls.call(holder.isBlocking(), () -> holder.begin(key, null))
        .onErrorComplete(e -> e instanceof DuplicateRequestException d && operation.skips(d));
  }

  private Mono<Void> run(Runnable action) {
    return ReactiveCalls.run(holder.isBlocking(), action);
  }

  private Publisher<?> proceed() {
    try {
      Publisher<?> publisher = (Publisher<?>) call.get().proceed();
      return publisher == null ? Mono.empty() : publisher;
    } catch (Throwable e) {
      return Mono.error(e);
    }
  }
}
