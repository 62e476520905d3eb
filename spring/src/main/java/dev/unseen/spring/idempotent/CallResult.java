package dev.unseen.spring.idempotent;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.springframework.http.HttpEntity;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.web.ErrorResponse;

/** How a method says that its work has ended, and how. */
enum CallResult {
  VALUE,
  STAGE,
  MONO,
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

  private static final boolean WEB =
      ClassUtils.isPresent(
          "org.springframework.web.ErrorResponse", CallResult.class.getClassLoader());

  private static final ClassValue<Boolean> IS_LATER =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isLater(type);
        }
      };

  static CallResult of(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    boolean suspending =
        parameters.length > 0
            && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
    return suspending ? SUSPENDING : of(method.getReturnType());
  }

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

  /** Returns whether a value is, or contains, something that ends later. */
  static boolean bodyEndsLater(Object value) {
    return endsLater(WEB ? Web.body(value) : value);
  }

  /** Returns whether a value is the response to a failure. */
  static boolean isFailure(Object value) {
    return WEB && Web.isFailure(value);
  }

  /** Knows the types of responses that Spring's web frameworks have in common. */
  private static final class Web {
    private static final int ERROR = 400;

    static boolean isFailure(Object value) {
      return (value instanceof ResponseEntity<?> response && response.getStatusCode().isError())
          || (value instanceof ErrorResponse error && error.getStatusCode().isError())
          || (value instanceof ProblemDetail problem && problem.getStatus() >= ERROR);
    }

    static Object body(Object value) {
      return value instanceof HttpEntity<?> entity ? entity.getBody() : value;
    }
  }
}
