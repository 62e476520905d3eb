package dev.unseen.spring;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.util.unit.DataSize;

/**
 * The properties below {@code unseen}: those of the default deduplicator, of further ones by name,
 * and of idempotent requests.
 */
@ConfigurationProperties("unseen")
public class UnseenProperties extends DeduplicatorProperties {
  /** Whether there are any beans of Unseen. Default: true. */
  private boolean enabled = true;

  /** Further deduplicators by name, each with the same properties as the default one. */
  private final Map<String, DeduplicatorProperties> deduplicators = new LinkedHashMap<>();

  @NestedConfigurationProperty
  private final IdempotencyProperties idempotency = new IdempotencyProperties();

  public boolean isEnabled() {
    return enabled;
  }

  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  public Map<String, DeduplicatorProperties> getDeduplicators() {
    return deduplicators;
  }

  public IdempotencyProperties getIdempotency() {
    return idempotency;
  }

  /** Idempotent requests. */
  public static class IdempotencyProperties {
    /** Header with the key of a request. Default: Idempotency-Key. */
    private String header = "Idempotency-Key";

    /**
     * Status of the response to a request whose key was processed before; 2xx has no body. Default:
     * 409.
     */
    private int duplicateStatus = 409;

    /**
     * Status of the response to a request while another one with its key is being processed.
     * Default: 409.
     */
    private int inFlightStatus = 409;

    @NestedConfigurationProperty private final FilterProperties filter = new FilterProperties();
    @NestedConfigurationProperty private final ReplayProperties replay = new ReplayProperties();

    public String getHeader() {
      return header;
    }

    public void setHeader(String header) {
      this.header = header;
    }

    public int getDuplicateStatus() {
      return duplicateStatus;
    }

    public void setDuplicateStatus(int duplicateStatus) {
      this.duplicateStatus = duplicateStatus;
    }

    public int getInFlightStatus() {
      return inFlightStatus;
    }

    public void setInFlightStatus(int inFlightStatus) {
      this.inFlightStatus = inFlightStatus;
    }

    public FilterProperties getFilter() {
      return filter;
    }

    public ReplayProperties getReplay() {
      return replay;
    }
  }

  /** Responses that are kept, so that a duplicate gets the first one. */
  public static class ReplayProperties {
    /**
     * Where responses are kept: none, caffeine or jdbc. Default: none, or your own ResponseStore.
     */
    private Store store = Store.NONE;

    /** How long a response is kept. Default: 24h. */
    private Duration retention = Duration.ofHours(24);

    /**
     * Largest body of a response that is kept; a duplicate of a larger one gets a 409. Default:
     * 64KB.
     */
    private DataSize maxBody = DataSize.ofKilobytes(64);

    /** Memory for the responses that Caffeine keeps. Default: 64MB. */
    private DataSize memory = DataSize.ofMegabytes(64);

    /** Table for the responses that JDBC keeps. Default: unseen_responses. */
    private String table = "unseen_responses";

    public Store getStore() {
      return store;
    }

    public void setStore(Store store) {
      this.store = store;
    }

    public Duration getRetention() {
      return retention;
    }

    public void setRetention(Duration retention) {
      this.retention = retention;
    }

    public DataSize getMaxBody() {
      return maxBody;
    }

    public void setMaxBody(DataSize maxBody) {
      this.maxBody = maxBody;
    }

    public DataSize getMemory() {
      return memory;
    }

    public void setMemory(DataSize memory) {
      this.memory = memory;
    }

    public String getTable() {
      return table;
    }

    public void setTable(String table) {
      this.table = table;
    }
  }

  /** Where responses are kept. */
  public enum Store {
    /** Nowhere, unless the application has a bean for it. */
    NONE,
    /** In the memory of this process. */
    CAFFEINE,
    /** In a table of the application's database. */
    JDBC
  }

  /** A filter of requests that needs no annotation, with servlets and in WebFlux. */
  public static class FilterProperties {
    /**
     * Whether requests with the header are checked by a filter, without annotations. Default:
     * false.
     */
    private boolean enabled;

    /** Paths that the filter is for: /path, /path/* or *.suffix. Default: all. */
    private Set<String> urlPatterns = Set.of("/*");

    /** HTTP methods that the filter is for. Default: POST and PATCH. */
    private Set<String> methods = Set.of("POST", "PATCH");

    /** Whether the filter rejects a request without the header, with 400. Default: false. */
    private boolean required;

    /** Order of the filter. Default: 0, which is after Spring Security. */
    private int order;

    /** Name of the deduplicator that the filter uses. Default: the one without a name. */
    private String deduplicator = "";

    public boolean isEnabled() {
      return enabled;
    }

    public void setEnabled(boolean enabled) {
      this.enabled = enabled;
    }

    public Set<String> getUrlPatterns() {
      return urlPatterns;
    }

    public void setUrlPatterns(Set<String> urlPatterns) {
      this.urlPatterns = urlPatterns;
    }

    public Set<String> getMethods() {
      return methods;
    }

    public void setMethods(Set<String> methods) {
      this.methods = methods;
    }

    public boolean isRequired() {
      return required;
    }

    public void setRequired(boolean required) {
      this.required = required;
    }

    public int getOrder() {
      return order;
    }

    public void setOrder(int order) {
      this.order = order;
    }

    public String getDeduplicator() {
      return deduplicator;
    }

    public void setDeduplicator(String deduplicator) {
      this.deduplicator = deduplicator;
    }
  }
}
