package dev.unseen.spring.idempotent;

import dev.unseen.ReservationLimitException;
import dev.unseen.client.StoreUnavailableException;
import dev.unseen.spring.UnseenProperties.FilterProperties;
import dev.unseen.spring.UnseenProperties.IdempotencyProperties;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.http.server.PathContainer;

/** The keys of requests that a filter lets through once, with or without servlets. */
final class FilteredKeys {
  private final String header;
  private final Set<String> methods;
  private final boolean required;
  private final Supplier<KeyHolder> holder;

  FilteredKeys(IdempotencyProperties idempotency, KeyHolders holders) {
    FilterProperties properties = idempotency.filter();
    this.header = idempotency.header();
    this.methods =
        properties.methods().stream()
            .map(method -> method.toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
    this.required = properties.required();
    this.holder = () -> holders.find(properties.deduplicator());
  }

  /** Returns the name of the header with the key. */
  String header() {
    return header;
  }

  /** Returns the deduplicator that holds the keys. */
  KeyHolder holder() {
    return holder.get();
  }

  /** Returns whether requests with this HTTP method are filtered. */
  boolean areOf(String method) {
    return methods.contains(method);
  }

  /**
   * Returns a key, or null if there is none and none is needed.
   *
   * @throws MissingKeyException if one is needed
   */
  String require(String key) {
    if (key == null && required) {
      throw MissingKeyException.ofHeader(header);
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
    return KeyText.join(List.of(method, RequestPaths.key(path), user, key));
  }
}
