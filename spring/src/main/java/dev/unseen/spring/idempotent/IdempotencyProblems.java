package dev.unseen.spring.idempotent;

import dev.unseen.spring.UnseenProperties.IdempotencyProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Makes responses of the exceptions: 409 for duplicates, or what the properties say, and 400 for
 * missing keys and for several ones.
 */
@RestControllerAdvice
@Order(0)
class IdempotencyProblems {
  private final HttpStatusCode duplicate;
  private final HttpStatusCode inFlight;

  IdempotencyProblems(IdempotencyProperties properties) {
    this.duplicate = status("duplicate-status", properties.getDuplicateStatus());
    this.inFlight = status("in-flight-status", properties.getInFlightStatus());
  }

  private static HttpStatusCode status(String name, int status) {
    if (status < 200 || status > 599) {
      throw new InvalidConfigurationPropertyValueException(
          "unseen.idempotency." + name, status, "a status must be 200 to 599, such as 409 or 200");
    }
    return HttpStatusCode.valueOf(status);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(DuplicateRequestException e) {
    return e.isInFlight()
        ? response(inFlight, "Request in flight", e)
        : response(duplicate, "Request already processed", e);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(MissingKeyException e) {
    return response(HttpStatus.BAD_REQUEST, "Key missing", e);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(SeveralKeysException e) {
    return response(HttpStatus.BAD_REQUEST, "Several keys", e);
  }

  private static ResponseEntity<ProblemDetail> response(
      HttpStatusCode status, String title, RuntimeException e) {
    ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
    if (e instanceof DuplicateRequestException duplicate && duplicate.isInFlight()) {
      response.header(HttpHeaders.RETRY_AFTER, "1");
    }
    if (!status.isError()) {
      return response.build();
    }
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, sentence(e.getMessage()));
    problem.setTitle(title);
    return response.body(problem);
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }
}
