package dev.unseen.spring.idempotent;

import java.util.Optional;

/** A request and its response, as they are recorded for a replay. */
interface Recording {
  /** Starts to record the response. */
  void start();

  /**
   * Returns a hash of the request: its user, method, path, query and body. It is empty if the body
   * was read in a way that cannot be observed.
   */
  String fingerprint();

  /** Returns the response, unless it is larger than the limit, or is not complete yet. */
  Optional<StoredResponse> response();
}
