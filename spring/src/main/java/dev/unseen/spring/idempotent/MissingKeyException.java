package dev.unseen.spring.idempotent;

/** Thrown in place of a call that has no key, but needs one. */
public final class MissingKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private MissingKeyException(String message) {
    super(message);
  }

  static MissingKeyException ofHeader(String header) {
    return new MissingKeyException(
        "the header %s is missing; send a new key with each new request, and the same key when a request is repeated"
            .formatted(header));
  }

  static MissingKeyException ofExpression(String expression) {
    return new MissingKeyException("the key %s is missing".formatted(expression));
  }
}
