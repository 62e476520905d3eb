package dev.unseen.spring.idempotent;

import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Makes calls that may wait for a network without stopping the threads of WebFlux. */
final class ReactiveCalls {
  private ReactiveCalls() {}

  /** Makes a call when it is subscribed to, on another thread if it may block. */
  static <T> Mono<T> call(boolean blocking, Callable<T> call) {
    Mono<T> result = Mono.fromCallable(call);
    return blocking ? result.subscribeOn(Schedulers.boundedElastic()) : result;
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
