package dev.unseen.spring.idempotent;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request and its response, as they are recorded for a replay. Safe for use by many threads. */
abstract class Recording {
  private final int limit;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private boolean fits = true;
  private Map<String, List<String>> headersBefore; // null: not started

  /**
   * Creates a recording.
   *
   * @param limit the size of the largest body that is copied
   */
  Recording(int limit) {
    this.limit = limit;
  }

  synchronized void start() {
    if (headersBefore == null) {
      headersBefore = headers();
    }
  }

  synchronized boolean isStarted() {
    return headersBefore != null;
  }

  /** Copies a part of the body, and returns whether all still fits. If not, the copy ends here. */
  synchronized boolean add(byte[] from, int offset, int length) {
    fits = fits && length <= limit - body.size();
    if (fits) {
      body.write(from, offset, length);
    }
    return fits;
  }

  /** Drops the response, as if its body were too large. */
  synchronized void discard() {
    body.reset();
    fits = false;
  }

  /** Starts the body again. */
  synchronized void clear() {
    body.reset();
    fits = true;
  }

  synchronized boolean isEmpty() {
    return fits && body.size() == 0;
  }

  synchronized byte[] body() {
    return body.toByteArray();
  }

  /** Returns the response, unless it is larger than the limit. */
  Optional<StoredResponse> response() {
    String request = fingerprint();
    synchronized (this) {
      return fits
          ? Optional.of(
              new StoredResponse(
                  request, status(), StoredResponse.added(headersBefore, headers()), body()))
          : Optional.empty();
    }
  }

  abstract int status();

  /** Returns the headers of the response, by names that are compared without their case. */
  abstract Map<String, List<String>> headers();

  /**
   * Returns a hash of the request: its user, method, path, query and body. It is empty if the body
   * was read in a way that cannot be observed.
   */
  abstract String fingerprint();
}
