package dev.unseen.spring.idempotent;

/** Thrown in place of a call by a request that has the header with the key more than once. */
public final class SeveralKeysException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SeveralKeysException(String header, int times) {
    super("the header %s is there %d times; send it once".formatted(header, times));
  }
}
