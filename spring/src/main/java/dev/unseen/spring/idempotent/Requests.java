package dev.unseen.spring.idempotent;

import dev.unseen.spring.BadOptionException;
import org.aopalliance.intercept.MethodInvocation;

/** Finds the request that a method is called for, and its response. By default there are none. */
interface Requests {
  /** Returns whether the headers of requests can be read. */
  default boolean haveHeaders() {
    return false;
  }

  /** Returns whether this thread processes a request whose headers can be read. */
  default boolean isPresent() {
    return false;
  }

  /**
   * Returns the key that a header of this thread's request has, or null if there is none.
   *
   * @throws MalformedKeyException if there are several, or it is not quoted as it must be
   */
  default String key(String header) {
    throw new IllegalStateException("this thread processes no request");
  }

  /** Returns the name of the user, or an empty text if it is not known. */
  default String user() {
    return "";
  }

  /**
   * Checks that the response of a handler method can be observed.
   *
   * @throws BadOptionException if it cannot
   */
  default void require(IdempotentOperation operation) {}

  /**
   * Returns the work that ends with the response, or null if the method does not handle a request
   * in this call, or if it is found when its result is subscribed to.
   */
  default ResponseWork workOf(IdempotentOperation operation, MethodInvocation call) {
    return null;
  }
}
