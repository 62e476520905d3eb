package dev.unseen.spring.idempotent;

/**
 * Thrown in place of a call by a request that has several keys, or one that is not quoted right.
 */
public final class MalformedKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private MalformedKeyException(String message) {
    super(message);
  }

  static MalformedKeyException several(String header, int times) {
    return new MalformedKeyException(
        "the request has the header %s %d times; send it once".formatted(header, times));
  }

  static MalformedKeyException quoted(String header, String why) {
    return new MalformedKeyException(
        "the header %s starts with a quote, but is not a quoted string: %s; send \"key\" or key, with \\\" for a quote and \\\\ for a backslash between quotes"
            .formatted(header, why));
  }
}
