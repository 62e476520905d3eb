package dev.unseen.spring.idempotent;

import dev.unseen.spring.BadOptionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Runs the methods with {@link Idempotent} once for each key. If a method handles a request, the
 * response decides whether it has succeeded, otherwise its result does.
 */
final class IdempotentInterceptor implements MethodInterceptor, SmartInitializingSingleton {
  private final IdempotentMethods methods;
  private final KeyHolders holders;
  private volatile Supplier<Requests> requests;
  private final BeanFactory beans;

  IdempotentInterceptor(
      IdempotentMethods methods,
      KeyHolders holders,
      Supplier<Requests> requests,
      BeanFactory beans) {
    this.methods = methods;
    this.holders = holders;
    this.requests = requests;
    this.beans = beans;
  }

  /** Rejects methods that name what the application does not have. */
  @Override
  public void afterSingletonsInstantiated() {
    Requests found = requests.get(); // to look for a bean takes longer than all of the rest
    requests = () -> found;
    for (IdempotentOperation operation : methods.all()) {
      holders.find(operation.deduplicator());
      if (operation.isByHeader() && !found.haveHeaders()) {
        throw new BadOptionException(
            "@Idempotent at %s takes its key from a header, which works in servlet applications only."
                .formatted(IdempotentOperation.name(operation.method())),
            "Set the key: with a parameter @RequestHeader(\"Idempotency-Key\") String idempotencyKey, it is key = \"#idempotencyKey\".",
            null);
      }
      if (operation.isHandler()) {
        found.require(operation);
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
    KeyHolder holder = holders.find(operation.deduplicator());
    ResponseWork response = requests.get().workOf(operation, call);
    if (response != null) {
      return handle(operation, call, response.begin(holder, key));
    }
    if (operation.isReactive()) {
      // The call is made when the result is subscribed to, and perhaps more than once.
      Supplier<MethodInvocation> calls = () -> ((ProxyMethodInvocation) call).invocableClone();
      return new ReactiveWork(operation, calls, holder, key).publisher();
    }
    KeyedWork work;
    try {
      work = holder.begin(key, null);
    } catch (DuplicateRequestException e) {
      if (operation.skips(e)) {
        return operation.skipped();
      }
      throw e;
    }
    return operation.result() == CallResult.STAGE ? stage(call, work) : value(call, work);
  }

  /** Calls a method whose work ends with the response. */
  private Object handle(IdempotentOperation operation, MethodInvocation call, KeyedWork work)
      throws Throwable {
    Object value;
    try {
      value = call.proceed();
    } catch (Throwable e) {
      if (ResponseWork.isDisconnect(e)) { // leaves no trace in the response
        work.fail();
      }
      throw e;
    }
    if (operation.result() == CallResult.STAGE && value != null) {
      return ((CompletionStage<?>) value)
          .whenComplete(
              (result, failure) -> {
                if (failure == null) {
                  work.setResult(operation, result);
                }
              });
    }
    work.setResult(operation, value);
    return value;
  }

  private Object value(MethodInvocation call, KeyedWork work) throws Throwable {
    try {
      Object value = call.proceed();
      if (CallResult.endsLater(value)) {
        throw new IllegalStateException(
            "@Idempotent at %s has returned a %s, whose end cannot be observed; declare the method to return a CompletableFuture, a Mono or a Flux"
                .formatted(IdempotentOperation.name(call.getMethod()), value.getClass().getName()));
      }
      work.end(value);
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
            work.end(value);
          } else {
            work.fail();
          }
        });
  }
}
