package dev.unseen.spring.idempotent;

import java.util.List;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Saves the responses of first requests, and finds them for duplicates. */
record Replays(ResponseStore store) {
  private static final Log LOG = LogFactory.getLog(Replays.class);

  boolean isBlocking() {
    return !(store instanceof CaffeineResponseStore);
  }

  private static String id(String holder, String key) {
    return Fingerprint.of(List.of(holder, key));
  }

  /** Saves the response to a request that was processed, if it was recorded completely. */
  void save(String holder, String key, Recording recording) {
    try {
      recording.response().ifPresent(response -> store.save(id(holder, key), response.toBytes()));
    } catch (RuntimeException e) {
      LOG.warn("A response cannot be saved; duplicates of its request will get a 409", e);
    }
  }

  /**
   * Returns what is thrown in place of a duplicate.
   *
   * @return with the response of the first request, if the store has it
   * @throws DifferentRequestException if the first request was another one
   */
  DuplicateRequestException duplicate(String holder, String key, Recording recording) {
    Optional<StoredResponse> response;
    try {
      response = store.find(id(holder, key)).map(StoredResponse::of);
    } catch (RuntimeException e) {
      LOG.warn("The response to a request that was processed before cannot be read", e);
      return new DuplicateRequestException(false);
    }
    if (response.isPresent()) {
      String first = response.get().fingerprint();
      String second = recording.fingerprint();
      if (!first.isEmpty() && !second.isEmpty() && !first.equals(second)) {
        throw new DifferentRequestException();
      }
    }
    return response
        .map(DuplicateRequestException::new)
        .orElse(new DuplicateRequestException(false));
  }
}
