package dev.unseen.spring.idempotent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Makes calls that may wait for a network without stopping the threads of WebFlux.
 *
 * <p>A call is never interrupted. With {@code subscribeOn}, a request that ends while the thread of
 * the call writes its response would interrupt that thread: Tomcat then closes the connection. So
 * would a client that disconnects while a key is marked.
 */
final class ReactiveCalls {
  private static final Executor ELASTIC = task -> Schedulers.boundedElastic().schedule(task);

  private ReactiveCalls() {}

  /** Makes a call when it is subscribed to, on another thread if it may block. */
  static <T> Mono<T> call(boolean blocking, Supplier<T> call) {
    return blocking
        ? Mono.fromFuture(() -> CompletableFuture.supplyAsync(call, ELASTIC), true)
        : Mono.fromSupplier(call);
  }

  /** Runs an action when it is subscribed to, on another thread if it may block. */
  static Mono<Void> run(boolean blocking, Runnable action) {
    return call(
        blocking,
        () -> {
          action.run();
          return null;
        });
  }
}
