package dev.unseen.spring.idempotent;

import dev.unseen.spring.BadOptionException;
import org.aopalliance.intercept.MethodInvocation;

/** Finds the request that a method is called for, and its response. By default there are none. */
interface Requests {
  /**
   * The key that a request has in a header.
   *
   * @param user an empty text if it is not known
   * @param key null if there is none
   */
  record RequestKey(String user, String key) {}

  default boolean haveHeaders() {
    return false;
  }

  /**
   * Returns the key in a header of this thread's request, or null if there is no request.
   *
   * @throws MalformedKeyException if there are several, or it is not quoted as it must be
   */
  default RequestKey key(String header) {
    return null;
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
