package dev.unseen.spring.idempotent;

import dev.unseen.spring.BadOptionException;
import org.aopalliance.intercept.MethodInvocation;

/** Finds the response that a call of a handler method is for. */
interface Responses {
  /**
   * Checks that the response of a handler method can be seen.
   *
   * @throws BadOptionException if it cannot
   */
  void require(IdempotentOperation operation);

  /**
   * Returns the work that ends with the response, or null if the method does not handle a request
   * in this call, or if it is found when its result is subscribed to.
   */
  ResponseWork of(IdempotentOperation operation, MethodInvocation call);
}
