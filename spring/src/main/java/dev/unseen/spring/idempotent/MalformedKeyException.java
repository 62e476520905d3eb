package dev.unseen.spring.idempotent;

/** Thrown in place of a call by a request whose header starts a quoted key and does not end it. */
public final class MalformedKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedKeyException(String header, String why) {
    super(
        "the header %s starts with a quote, but is not a quoted string: %s; send \"key\" or key, with \\\" for a quote and \\\\ for a backslash between quotes"
            .formatted(header, why));
  }
}
