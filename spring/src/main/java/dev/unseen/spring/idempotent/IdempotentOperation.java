package dev.unseen.spring.idempotent;

import dev.unseen.spring.BadOptionException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** A method with {@link Idempotent}, checked. */
final class IdempotentOperation {
  private static final String EXCHANGE = "org.springframework.web.server.ServerWebExchange";
  private static final Set<String> MAPPINGS =
      Set.of(
          "org.springframework.web.bind.annotation.RequestMapping",
          "org.springframework.web.service.annotation.HttpExchange");
  private static final Set<String> FUNCTION_REQUESTS =
      Set.of(
          "org.springframework.web.servlet.function.ServerRequest",
          "org.springframework.web.reactive.function.server.ServerRequest");

  private final Method method;
  private final Idempotent annotation;
  private final String scope;
  private final String header; // null: the key is an expression
  private final KeyExpression expression; // null: the key is a header
  private final CallResult result;
  private final boolean mapped;
  private final boolean function;

  /**
   * Reads the annotation of a method.
   *
   * @throws BadOptionException if it cannot work
   */
  IdempotentOperation(Method method, Idempotent annotation, String usualHeader) {
    this.method = method;
    this.annotation = annotation;
    this.result = CallResult.of(method);
    this.function =
        Stream.of(method.getParameterTypes())
            .anyMatch(type -> FUNCTION_REQUESTS.contains(type.getName()));
    MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
    this.mapped = MAPPINGS.stream().anyMatch(annotations::isPresent);
    requireSeen();
    requireEnd();
    requireSkippable();
    if (!annotation.key().isEmpty() && !annotation.header().isEmpty()) {
      throw rejected(
          "it has a key and a header", "Leave one of them out, or use the header as a parameter.");
    }
    boolean byHeader = annotation.key().isEmpty();
    this.expression = byHeader ? null : new KeyExpression(method, annotation.key());
    this.header =
        byHeader ? (annotation.header().isEmpty() ? usualHeader : annotation.header()) : null;
    this.scope =
        annotation.scope().isEmpty()
            ? method.getDeclaringClass().getName() + "." + method.getName()
            : annotation.scope();
  }

  private void requireSeen() {
    int modifiers = method.getModifiers();
    if (Modifier.isPrivate(modifiers)
        || Modifier.isStatic(modifiers)
        || Modifier.isFinal(modifiers)) {
      throw rejected(
          "no proxy can see calls of a method that is private, static or final",
          "Make the method visible and open.");
    }
  }

  private void requireEnd() {
    if (result == CallResult.SUSPENDING || (result == CallResult.UNKNOWN && !isHandler())) {
      throw rejected(
          "it returns %s, whose end cannot be observed".formatted(method.getReturnType().getName()),
          "Return the value itself, a CompletableFuture, a Mono or a Flux.");
    }
  }

  private void requireSkippable() {
    if (!skipsDuplicates()) {
      return;
    }
    if (isHandler()) {
      throw rejected(
          "it handles requests, and a duplicate needs a response",
          "Leave onDuplicate out, and set unseen.idempotency.duplicate-status or replay.store.");
    }
    if (method.getReturnType().isPrimitive() && method.getReturnType() != void.class) {
      throw rejected(
          "it returns %s, which has no value for a call that is skipped"
              .formatted(method.getReturnType()),
          "Return an object or nothing, or leave onDuplicate out.");
    }
  }

  boolean skipsDuplicates() {
    return annotation.onDuplicate() == Idempotent.OnDuplicate.SKIP;
  }

  /** Returns whether a call that throws this exception returns at once instead. */
  boolean skips(DuplicateRequestException duplicate) {
    return skipsDuplicates() && !duplicate.isInFlight();
  }

  /** Returns what a call returns that is skipped. */
  Object skipped() {
    return result == CallResult.STAGE
        ? CompletableFuture.completedFuture(null)
        : method.getReturnType() == Optional.class ? Optional.empty() : null;
  }

  BadOptionException rejected(String why, String action) {
    return new BadOptionException(
        "@Idempotent at %s is rejected: %s.".formatted(name(method), why), action, null);
  }

  static String name(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }

  /** Returns whether the method is for requests, whose response then decides. */
  boolean isHandler() {
    return mapped || function;
  }

  /** Returns whether the method is a handler of functional endpoints. */
  boolean isFunction() {
    return function;
  }

  boolean takesExchange() {
    return Stream.of(method.getParameterTypes()).anyMatch(type -> type.getName().equals(EXCHANGE));
  }

  CallResult result() {
    return result;
  }

  /**
   * Returns whether the method returns a Mono or a Flux, and is called when that is subscribed to.
   */
  boolean isReactive() {
    return result == CallResult.MONO || result == CallResult.FLUX;
  }

  String deduplicator() {
    return annotation.deduplicator();
  }

  Method method() {
    return method;
  }

  boolean isByHeader() {
    return header != null;
  }

  /**
   * Returns the key of a call, or null if it has none and needs none.
   *
   * @throws MissingKeyException if it needs one
   */
  String keyOf(MethodInvocation call, Requests request, BeanFactory beans) {
    String key;
    String user = "";
    if (isByHeader()) {
      Requests.RequestKey found = request.key(header);
      if (found == null) {
        throw new IllegalStateException(
            "@Idempotent at %s takes its key from the header %s, but was not called by a request; set key = \"#parameter\", or call it from the thread of the request"
                .formatted(name(method), header));
      }
      key = found.key();
      user = found.user();
    } else {
      key = expression.evaluate(call.getThis(), call.getArguments(), beans);
    }
    if (key != null) {
      return KeyText.join(List.of(scope, user, key));
    }
    if (annotation.required()) {
      throw isByHeader()
          ? MissingKeyException.ofHeader(header)
          : MissingKeyException.ofExpression(annotation.key());
    }
    return null;
  }
}
