package dev.unseen.spring;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties below {@code unseen} other than those of the default deduplicator.
 *
 * @param enabled Whether there are any beans of Unseen. Default: true.
 * @param deduplicators Further deduplicators by name, each with the same properties as the default
 *     one.
 */
@ConfigurationProperties("unseen")
public record UnseenProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue Map<String, DeduplicatorProperties> deduplicators,
    @DefaultValue IdempotencyProperties idempotency) {

  /**
   * Idempotent requests.
   *
   * @param header Header with the key of a request. Default: Idempotency-Key.
   * @param duplicateStatus Status of the response to a request whose key was processed before; 2xx
   *     has no body. Default: 409.
   * @param inFlightStatus Status of the response to a request while another one with its key is
   *     being processed. Default: 409.
   */
  public record IdempotencyProperties(
      @DefaultValue(IdempotencyProperties.DEFAULT_HEADER) String header,
      @DefaultValue("409") int duplicateStatus,
      @DefaultValue("409") int inFlightStatus,
      @DefaultValue FilterProperties filter,
      @DefaultValue ReplayProperties replay) {
    /** The header with the key of a request, unless the properties name another one. */
    public static final String DEFAULT_HEADER = "Idempotency-Key";
  }

  /**
   * Responses that are kept, so that a duplicate gets the first one.
   *
   * @param store Where responses are kept: none, caffeine or jdbc. Default: none, or your own
   *     ResponseStore.
   * @param retention How long a response is kept. Default: 24h.
   * @param maxBody Largest body of a response that is kept; a duplicate of a larger one gets a 409.
   *     Default: 64KB.
   * @param memory Memory for the responses that Caffeine keeps. Default: 64MB.
   * @param table Table for the responses that JDBC keeps. Default: unseen_responses.
   */
  public record ReplayProperties(
      @DefaultValue("none") Store store,
      @DefaultValue("24h") Duration retention,
      @DefaultValue("64KB") DataSize maxBody,
      @DefaultValue("64MB") DataSize memory,
      @DefaultValue("unseen_responses") String table) {}

  /** Where responses are kept. */
  public enum Store {
    /** Nowhere, unless the application has a bean for it. */
    NONE,
    /** In the memory of this process. */
    CAFFEINE,
    /** In a table of the application's database. */
    JDBC
  }

  /**
   * A filter of requests that needs no annotation, with servlets and in WebFlux.
   *
   * @param enabled Whether requests with the header are checked by a filter, without annotations.
   *     Default: false.
   * @param urlPatterns Paths that the filter is for: /path, /path/* or *.suffix. Default: all.
   * @param methods HTTP methods that the filter is for. Default: POST and PATCH.
   * @param required Whether the filter rejects a request without the header, with 400. Default:
   *     false.
   * @param order Order of the filter. Default: 0, which is after Spring Security.
   * @param deduplicator Name of the deduplicator that the filter uses. Default: the one without a
   *     name.
   */
  public record FilterProperties(
      boolean enabled,
      @DefaultValue("/*") Set<String> urlPatterns,
      @DefaultValue({"POST", "PATCH"}) Set<String> methods,
      boolean required,
      int order,
      @DefaultValue("") String deduplicator) {}
}
