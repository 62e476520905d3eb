package dev.unseen.spring.idempotent;

import org.springframework.http.HttpEntity;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;

/** Knows the types of responses that Spring's web frameworks have in common. */
final class WebReturnedValues implements ReturnedValues {
  private static final int ERROR = 400;

  @Override
  public boolean isFailure(Object value) {
    return (value instanceof ResponseEntity<?> response && response.getStatusCode().isError())
        || (value instanceof ErrorResponse error && error.getStatusCode().isError())
        || (value instanceof ProblemDetail problem && problem.getStatus() >= ERROR);
  }

  @Override
  public boolean endsLater(Object value) {
    Object body = value instanceof HttpEntity<?> entity ? entity.getBody() : value;
    return CallResult.endsLater(body);
  }
}
