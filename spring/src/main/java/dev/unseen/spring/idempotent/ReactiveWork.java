package dev.unseen.spring.idempotent;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reserves a key when a Mono or Flux is subscribed to, calls the method then, and ends the work
 * when that completes. An error or a cancellation releases the key.
 */
final class ReactiveWork {
  private ReactiveWork() {}

  static Mono<Object> mono(
      Supplier<KeyedWork> begin,
      Supplier<MethodInvocation> call,
      BiConsumer<KeyedWork, Object> end) {
    return Mono.usingWhen(
        Mono.fromSupplier(() -> new Running(begin.get())),
        running -> Mono.<Object>from(proceed(call)).doOnNext(running.value::set),
        running -> Mono.fromRunnable(() -> end.accept(running.work, running.value.get())),
        (running, error) -> Mono.fromRunnable(running.work::fail),
        running -> Mono.fromRunnable(running.work::fail));
  }

  static Flux<Object> flux(
      Supplier<KeyedWork> begin,
      Supplier<MethodInvocation> call,
      BiConsumer<KeyedWork, Object> end) {
    return Flux.usingWhen(
        Mono.fromSupplier(() -> new Running(begin.get())),
        running -> Flux.<Object>from(proceed(call)),
        running -> Mono.fromRunnable(() -> end.accept(running.work, null)),
        (running, error) -> Mono.fromRunnable(running.work::fail),
        running -> Mono.fromRunnable(running.work::fail));
  }

  private static Publisher<?> proceed(Supplier<MethodInvocation> call) {
    try {
      Publisher<?> publisher = (Publisher<?>) call.get().proceed();
      return publisher == null ? Mono.empty() : publisher;
    } catch (Throwable e) {
      return Mono.error(e);
    }
  }

  /** Work, and the value that it has given. */
  private static final class Running {
    private final KeyedWork work;
    private final AtomicReference<Object> value = new AtomicReference<>();

    Running(KeyedWork work) {
      this.work = work;
    }
  }
}
