package dev.unseen.spring.idempotent;

import org.springframework.http.HttpEntity;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.web.ErrorResponse;

/** What the value that a method has returned says about its work. */
final class ReturnedValues {
  private static final boolean WEB =
      ClassUtils.isPresent(
          "org.springframework.web.ErrorResponse", ReturnedValues.class.getClassLoader());

  private ReturnedValues() {}

  /** Returns whether a value is the response to a failure. */
  static boolean isFailure(Object value) {
    return WEB && Web.isFailure(value);
  }

  /** Returns whether a value is, or contains, something that ends later. */
  static boolean endsLater(Object value) {
    return CallResult.endsLater(WEB ? Web.body(value) : value);
  }

  /** Knows the types of responses that Spring's web frameworks have in common. */
  private static final class Web {
    private static final int ERROR = 400;

    static boolean isFailure(Object value) {
      return (value instanceof ResponseEntity<?> response && response.getStatusCode().isError())
          || (value instanceof ErrorResponse error && error.getStatusCode().isError())
          || (value instanceof ProblemDetail problem && problem.getStatus() >= ERROR);
    }

    static Object body(Object value) {
      return value instanceof HttpEntity<?> entity ? entity.getBody() : value;
    }
  }
}
