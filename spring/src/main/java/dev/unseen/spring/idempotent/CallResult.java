package dev.unseen.spring.idempotent;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** How a method says that its work has ended. */
enum CallResult {
  /** It returns. */
  VALUE,
  /** It returns a future, which completes. */
  STAGE,
  /** It returns a Mono, which completes. */
  MONO,
  /** It returns a Flux, which completes. */
  FLUX,
  /** It is a suspending function of Kotlin. */
  SUSPENDING,
  /** It cannot be known from what it returns. */
  UNKNOWN;

  private static final List<String> LATER =
      List.of(
          "java.util.concurrent.Future",
          "java.util.concurrent.Callable",
          "java.util.concurrent.CompletionStage",
          "java.util.concurrent.Flow$Publisher",
          "org.reactivestreams.Publisher",
          "org.springframework.web.context.request.async.DeferredResult",
          "org.springframework.web.context.request.async.WebAsyncTask",
          "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
          "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

  private static final ClassValue<Boolean> IS_LATER =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isLater(type);
        }
      };

  /** Returns how a method ends. */
  static CallResult of(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    boolean suspending =
        parameters.length > 0
            && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
    return suspending ? SUSPENDING : of(method.getReturnType());
  }

  /** Returns how a method with this type of result ends. */
  static CallResult of(Class<?> type) {
    if (type == CompletableFuture.class || type == CompletionStage.class) {
      return STAGE;
    }
    return switch (type.getName()) {
      case "reactor.core.publisher.Mono" -> MONO;
      case "reactor.core.publisher.Flux" -> FLUX;
      default -> isLater(type) ? UNKNOWN : VALUE;
    };
  }

  private static boolean isLater(Class<?> type) {
    return type != null
        && (LATER.contains(type.getName())
            || isLater(type.getSuperclass())
            || Stream.of(type.getInterfaces()).anyMatch(CallResult::isLater));
  }

  /** Returns whether a value that a method has returned ends later, against what it declares. */
  static boolean endsLater(Object value) {
    return value != null && IS_LATER.get(value.getClass());
  }
}
