package dev.unseen.spring.idempotent;

import dev.unseen.ReservationLimitException;
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
 * Makes responses of the exceptions: 409 for duplicates, or what the properties say, 400 for
 * missing, malformed and several keys, and 503 if too many keys are reserved.
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
        ? response(inFlight, "Request in flight", e.getMessage(), true)
        : response(duplicate, "Request already processed", e.getMessage(), false);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(MissingKeyException e) {
    return response(HttpStatus.BAD_REQUEST, "Key missing", e.getMessage(), false);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(SeveralKeysException e) {
    return response(HttpStatus.BAD_REQUEST, "Several keys", e.getMessage(), false);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(MalformedKeyException e) {
    return response(HttpStatus.BAD_REQUEST, "Malformed key", e.getMessage(), false);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(ReservationLimitException e) {
    return response(
        HttpStatus.SERVICE_UNAVAILABLE,
        "Too many requests in flight",
        "too many requests with a key are being processed; try again later", // not our options
        true);
  }

  private static ResponseEntity<ProblemDetail> response(
      HttpStatusCode status, String title, String detail, boolean retry) {
    ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
    if (retry) {
      response.header(HttpHeaders.RETRY_AFTER, "1");
    }
    if (!status.isError()) {
      return response.build();
    }
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, sentence(detail));
    problem.setTitle(title);
    return response.body(problem);
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }
}
