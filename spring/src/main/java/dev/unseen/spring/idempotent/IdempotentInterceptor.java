package dev.unseen.spring.idempotent;

import dev.unseen.Deduplicator;
import dev.unseen.spring.BadOptionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Runs the methods with {@link Idempotent} once for each key. */
final class IdempotentInterceptor implements MethodInterceptor, SmartInitializingSingleton {
  private final IdempotentMethods methods;
  private final KeyHolders holders;
  private final Supplier<RequestFacts> requests; // gives null if requests cannot be read
  private final Predicate<Object> isFailure;
  private final BeanFactory beans;

  IdempotentInterceptor(
      IdempotentMethods methods,
      KeyHolders holders,
      Supplier<RequestFacts> requests,
      Predicate<Object> isFailure,
      BeanFactory beans) {
    this.methods = methods;
    this.holders = holders;
    this.requests = requests;
    this.isFailure = isFailure;
    this.beans = beans;
  }

  /** Refuses methods that name what the application does not have. */
  @Override
  public void afterSingletonsInstantiated() {
    for (IdempotentOperation operation : methods.all()) {
      holders.find(operation.deduplicator());
      if (operation.isByHeader() && requests.get() == null) {
        throw new BadOptionException(
            "@Idempotent at %s takes its key from a header, which works in servlet applications only."
                .formatted(IdempotentOperation.name(operation.method())),
            "Set the key: with a parameter @RequestHeader(\"Idempotency-Key\") String idempotencyKey, it is key = \"#idempotencyKey\".",
            null);
      }
    }
  }

  @Override
  public Object invoke(MethodInvocation call) throws Throwable {
    Class<?> target =
        call.getThis() == null ? call.getMethod().getDeclaringClass() : call.getThis().getClass();
    IdempotentOperation operation = methods.find(call.getMethod(), target);
    String key = operation.keyOf(call, requests.get(), beans);
    if (key == null) {
      return call.proceed();
    }
    Deduplicator<String> keys = holders.find(operation.deduplicator());
    return switch (operation.result()) {
      case STAGE -> stage(call, KeyedWork.begin(keys, key));
      case MONO -> ReactiveWork.mono(() -> KeyedWork.begin(keys, key), clone(call), this::end);
      case FLUX -> ReactiveWork.flux(() -> KeyedWork.begin(keys, key), clone(call), this::end);
      default -> value(call, KeyedWork.begin(keys, key));
    };
  }

  private Object value(MethodInvocation call, KeyedWork work) throws Throwable {
    try {
      Object value = call.proceed();
      if (CallResult.endsLater(value)) {
        throw new IllegalStateException(
            "@Idempotent at %s has returned a %s, and nobody can tell when that has succeeded; declare the method to return a CompletableFuture, a Mono or a Flux"
                .formatted(IdempotentOperation.name(call.getMethod()), value.getClass().getName()));
      }
      end(work, value);
      return value;
    } finally {
      work.fail(); // unless it has succeeded
    }
  }

  private Object stage(MethodInvocation call, KeyedWork work) throws Throwable {
    CompletionStage<?> stage;
    try {
      stage = (CompletionStage<?>) call.proceed();
    } catch (Throwable e) {
      work.fail();
      throw e;
    }
    if (stage == null) {
      work.fail();
      return null;
    }
    return stage.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            end(work, value);
          } else {
            work.fail();
          }
        });
  }

  /** Ends work that has returned a value. */
  private void end(KeyedWork work, Object value) {
    if (isFailure.test(value)) {
      work.fail();
    } else {
      work.succeed();
    }
  }

  /** Returns a call that can go on later, and more than once. */
  private static Supplier<MethodInvocation> clone(MethodInvocation call) {
    return () -> ((ProxyMethodInvocation) call).invocableClone();
  }
}
