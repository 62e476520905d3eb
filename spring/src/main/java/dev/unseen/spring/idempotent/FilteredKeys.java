package dev.unseen.spring.idempotent;

import dev.unseen.ReservationLimitException;
import dev.unseen.client.StoreUnavailableException;
import dev.unseen.spring.UnseenProperties.IdempotencyProperties;
import java.util.List;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;

/** The keys of requests that a filter lets through once, with or without servlets. */
record FilteredKeys(IdempotencyProperties properties, KeyHolders holders) {
  String header() {
    return properties.header();
  }

  KeyHolder holder() {
    return holders.find(properties.filter().deduplicator());
  }

  /** Returns whether requests with this HTTP method are filtered. */
  boolean areOf(String method) {
    return properties.filter().methods().stream().anyMatch(method::equalsIgnoreCase);
  }

  /**
   * Returns a key, or null if there is none and none is needed.
   *
   * @throws MissingKeyException if one is needed
   */
  String require(String key) {
    if (key == null && properties.filter().required()) {
      throw MissingKeyException.ofHeader(header());
    }
    return key;
  }

  /** Returns whether an exception means that a request is rejected because of its key. */
  static boolean isRejection(Throwable e) {
    return e instanceof DuplicateRequestException
        || e instanceof DifferentRequestException
        || e instanceof MissingKeyException
        || e instanceof MalformedKeyException
        || e instanceof ReservationLimitException
        || e instanceof StoreUnavailableException;
  }

  /** Returns a key that counts for one method, path and user. */
  static String scoped(String method, PathContainer path, String user, String key) {
    return KeyText.join(List.of(method, pathKey(path), user, key));
  }

  /**
   * Returns a text that is equal for equal paths. They are compared as Spring does when it looks
   * for a handler: segments are decoded, and their parameters do not count. {@code /a}, {@code
   * /%61} and {@code /a;x=1} are one path; {@code /a%2Fb} and {@code /a/b} are two.
   */
  static String pathKey(PathContainer path) {
    return KeyText.join(parts(path));
  }

  /** Returns the decoded path, without parameters. */
  static String decoded(PathContainer path) {
    return String.join("", parts(path));
  }

  private static List<String> parts(PathContainer path) {
    return path.elements().stream()
        .map(each -> each instanceof PathSegment segment ? segment.valueToMatch() : each.value())
        .toList();
  }
}
