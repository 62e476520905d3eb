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
    Requests current = requests.get();
    String key = operation.keyOf(call, current, beans);
    if (key == null) {
      return call.proceed();
    }
    KeyHolder holder = holders.find(operation.deduplicator());
    ResponseWork response = current.workOf(operation, call);
    if (response == null && operation.isReactive()) {
      // The call is made when the result is subscribed to, and perhaps more than once.
      Supplier<MethodInvocation> calls = () -> ((ProxyMethodInvocation) call).invocableClone();
      return new ReactiveWork(operation, calls, holder, key).publisher();
    }
    KeyedWork work;
    try {
      work = response == null ? holder.begin(key, null) : response.begin(holder, key);
    } catch (DuplicateRequestException e) {
      if (operation.skips(e)) {
        return operation.skipped();
      }
      throw e;
    }
    return run(operation, call, work, response != null);
  }

  /**
   * Calls a method.
   *
   * @param handles whether its work ends with the response
   */
  private static Object run(
      IdempotentOperation operation, MethodInvocation call, KeyedWork work, boolean handles)
      throws Throwable {
    boolean later = operation.result() == CallResult.STAGE;
    Object value;
    try {
      value = call.proceed();
      if (!handles && !later && CallResult.endsLater(value)) {
        throw new IllegalStateException(
            "@Idempotent at %s has returned a %s, whose end cannot be observed; declare the method to return a CompletableFuture, a Mono or a Flux"
                .formatted(IdempotentOperation.name(call.getMethod()), value.getClass().getName()));
      }
    } catch (Throwable e) {
      if (!handles || ResponseWork.isDisconnect(e)) { // which leaves no trace in the response
        work.fail();
      }
      throw e;
    }
    if (later && value != null) {
      return ((CompletionStage<?>) value)
          .whenComplete((result, failure) -> end(operation, work, handles, result, failure));
    }
    end(operation, work, handles, value, null);
    return value;
  }

  private static void end(
      IdempotentOperation operation,
      KeyedWork work,
      boolean handles,
      Object value,
      Throwable failure) {
    if (handles && failure == null) {
      work.setResult(operation, value);
    } else if (failure == null) {
      work.end(value);
    } else if (!handles) {
      work.fail();
    }
  }
}
