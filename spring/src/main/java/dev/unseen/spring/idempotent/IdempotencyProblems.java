package dev.unseen.spring.idempotent;

import dev.unseen.ReservationLimitException;
import dev.unseen.client.StoreUnavailableException;
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
 * Makes responses of the exceptions: for duplicates the first response, if it was kept, otherwise
 * 409 or what the properties say; 422 for a key of another request, 400 for missing, malformed and
 * several keys, and 503 if too many keys are reserved, or cannot be reached.
 */
@RestControllerAdvice
@Order(0)
class IdempotencyProblems {
  /** Marks a response that was kept. Others that replay responses use this header too. */
  static final String REPLAYED = "Idempotency-Replayed";

  private static final HttpStatusCode DIFFERENT = HttpStatusCode.valueOf(422);

  private final HttpStatusCode duplicate;
  private final HttpStatusCode inFlight;

  IdempotencyProblems(IdempotencyProperties properties) {
    this.duplicate = status("duplicate-status", properties.duplicateStatus());
    this.inFlight = status("in-flight-status", properties.inFlightStatus());
  }

  private static HttpStatusCode status(String name, int status) {
    if (status < 200 || status > 599) {
      throw new InvalidConfigurationPropertyValueException(
          "unseen.idempotency." + name, status, "a status must be 200 to 599, such as 409 or 200");
    }
    return HttpStatusCode.valueOf(status);
  }

  @ExceptionHandler
  ResponseEntity<?> on(DuplicateRequestException e) {
    if (e.response().isPresent()) {
      return replay(e.response().get());
    }
    return e.isInFlight()
        ? response(inFlight, "Request in flight", e.getMessage(), true)
        : response(duplicate, "Request already processed", e.getMessage(), false);
  }

  private static ResponseEntity<byte[]> replay(StoredResponse response) {
    ResponseEntity.BodyBuilder replay = ResponseEntity.status(response.status());
    response
        .headers()
        .forEach((name, values) -> replay.header(name, values.toArray(String[]::new)));
    return replay.header(REPLAYED, "true").body(response.body());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(DifferentRequestException e) {
    return response(DIFFERENT, "Key used for another request", e.getMessage(), false);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(MissingKeyException e) {
    return response(HttpStatus.BAD_REQUEST, "Key missing", e.getMessage(), false);
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

  @ExceptionHandler
  ResponseEntity<ProblemDetail> on(StoreUnavailableException e) {
    return response(
        HttpStatus.SERVICE_UNAVAILABLE,
        "Keys unavailable",
        "the keys of requests cannot be reached at present; try again later", // not our addresses
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
