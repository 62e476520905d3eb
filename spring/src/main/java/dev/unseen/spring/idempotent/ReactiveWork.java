package dev.unseen.spring.idempotent;

import java.util.concurrent.atomic.AtomicReference;
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
 */
record ReactiveWork(
    IdempotentOperation operation, Supplier<MethodInvocation> call, KeyHolder holder, String key) {

  /** Returns what the method returns: a Mono or a Flux. */
  Publisher<Object> publisher() {
    Flux<Object> all =
        Flux.deferContextual(
            context -> {
              AtomicReference<Object> value = new AtomicReference<>(); // stays null for a Flux
              Flux<Object> result = Flux.defer(this::proceed);
              if (isMono()) {
                result = result.doOnNext(value::set);
              }
              ResponseWork response = response(context);
              return response == null ? alone(result, value) : handled(result, value, response);
            });
    return isMono() ? all.singleOrEmpty() : all;
  }

  private boolean isMono() {
    return operation.result() == CallResult.MONO;
  }

  /** Returns the work that ends with the response, or null if this call does not make it. */
  private ResponseWork response(ContextView context) {
    ResponseWork response =
        operation.isHandler() ? context.getOrDefault(ResponseWork.class, null) : null;
    return response != null && response.isOf(operation) ? response : null;
  }

  private Flux<Object> handled(
      Flux<Object> result, AtomicReference<Object> value, ResponseWork response) {
    return ExchangeResponses.begin(response, holder, key)
        .flatMapMany(
            work ->
                result
                    .doOnComplete(() -> work.setResult(operation, value.get()))
                    .doOnError(ResponseWork::isDisconnect, error -> work.fail()));
  }

  private Flux<Object> alone(Flux<Object> result, AtomicReference<Object> value) {
    return Flux.usingWhen(
        begin(),
        work -> result,
        work -> run(() -> work.end(value.get())),
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

  private Flux<Object> proceed() {
    try {
      Publisher<?> publisher = (Publisher<?>) call.get().proceed();
      return publisher == null ? Flux.empty() : Flux.from(publisher);
    } catch (Throwable e) {
      return Flux.error(e);
    }
  }
}
