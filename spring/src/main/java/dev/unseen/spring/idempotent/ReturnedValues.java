package dev.unseen.spring.idempotent;

/** What the value that a method has returned says about its work. */
interface ReturnedValues {
  /** Returns whether the value is the response to a failure. */
  default boolean isFailure(Object value) {
    return false;
  }

  /** Returns whether the value is, or contains, something that ends later. */
  default boolean endsLater(Object value) {
    return CallResult.endsLater(value);
  }
}
