package dev.unseen.spring.idempotent;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method once for each key. Clients retry, and messages come twice: the first call does the
 * work, and the others fail with an exception that says so.
 *
 * <pre>{@code
 * @PostMapping("/payments")
 * @Idempotent // by the header Idempotency-Key
 * Payment pay(@RequestBody Order order) { ... }
 *
 * @Idempotent(key = "#event.id")
 * void on(Event event) { ... }
 * }</pre>
 *
 * <ul>
 *   <li>The first call with a key runs.
 *   <li>If the method handles a request, in Spring MVC or WebFlux, the response decides: with a
 *       status below 400 the key counts as processed. With another status, or with an exception
 *       that nothing turns into a response, the key is released, so that a retry runs again. If the
 *       client disconnects, the key counts as processed if the work was done.
 *   <li>Any other method decides itself: if it returns, its key counts as processed. If it throws
 *       an exception, or returns a {@code ResponseEntity}, {@code ErrorResponse} or {@code
 *       ProblemDetail} with a status of 400 or more, the key is released.
 *   <li>A call with the key of one that still runs gets a {@link DuplicateRequestException} that is
 *       {@linkplain DuplicateRequestException#isInFlight in flight}: status 409 on the web.
 *   <li>A later call with a processed key gets a {@link DuplicateRequestException}: status 409 on
 *       the web, or what {@code unseen.idempotency.duplicate-status} says.
 * </ul>
 *
 * <p><b>This is approximate.</b> The keys are in a filter of fixed memory, which mistakes a new key
 * for a processed one at most as often as {@code unseen.max-false-positive-rate} says (1 in 10,000
 * by default): that request is rejected although it is new. A key is forgotten after {@code
 * unseen.window}, or when the memory is full: its duplicate then runs. A duplicate gets the first
 * response only if {@code unseen.idempotency.replay.store} keeps it. A call that takes longer than
 * {@code unseen.reservation-timeout} loses its key to the next caller.
 *
 * <p>A method may return a {@code CompletableFuture}, a {@code Mono} or a {@code Flux}: its key
 * counts as processed when that has completed. Handlers of Spring MVC may return everything but
 * suspending functions. Handlers of WebFlux that return neither a {@code Mono} nor a {@code Flux}
 * need a parameter {@code ServerWebExchange}. Other asynchronous results are rejected on startup.
 *
 * <p>As with all proxies of Spring, calls from within the same object are not seen. A method that
 * is {@code private}, {@code final} or {@code static} is rejected on startup. The key is marked
 * after a transaction of {@code @Transactional} has been committed.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Idempotent {
  /**
   * The key, as an expression (SpEL) with the parameters of the method: {@code #order.id}. It is a
   * text, a number, a UUID, an enum, a time, or a list of these. If there is none, the key is the
   * {@link #header}.
   */
  String key() default "";

  /**
   * The header with the key, for methods that a servlet request has called. If there is none, it is
   * that of {@code unseen.idempotency.header}. Keys of different users are different, as far as the
   * request knows its user. A key in quotes is a string of RFC 9651, and equal to the same key
   * without quotes. A request that has the header more than once, or with a quote that is not
   * closed, is rejected with status 400.
   */
  String header() default "";

  /**
   * The scope of the key: equal keys of different scopes are different. If there is none, it is the
   * name of the class and the method, so a method that is renamed forgets its keys.
   */
  String scope() default "";

  /**
   * Whether a call without a key is rejected, with status 400 on the web. Otherwise it just runs.
   */
  boolean required() default true;

  /** The name of the deduplicator that holds the keys. If there is none, it is the default one. */
  String deduplicator() default "";

  /**
   * What happens to a call whose key was processed before. A call whose key is being processed
   * always throws a {@link DuplicateRequestException}, because its outcome is not known.
   */
  OnDuplicate onDuplicate() default OnDuplicate.THROW;

  /** What happens to a call whose key was processed before. */
  enum OnDuplicate {
    /** It throws a {@link DuplicateRequestException}. */
    THROW,
    /**
     * It returns at once: null, an empty Optional, Mono or Flux, or a future with null. For
     * listeners of messages, whose containers mistake an exception for a failure and deliver the
     * message again.
     */
    SKIP
  }
}
