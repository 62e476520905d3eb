package dev.unseen.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * The properties below {@code unseen}: those of the default deduplicator, of further ones by name,
 * and of idempotent requests.
 */
@ConfigurationProperties("unseen")
public class UnseenProperties extends DeduplicatorProperties {
  /** Whether there are any beans of Unseen. */
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
    /** Header with the key of a request. */
    private String header = "Idempotency-Key";

    /** Status of the response to a request whose key was processed before. 2xx has no body. */
    private int duplicateStatus = 409;

    /** Status of the response to a request while another one with its key is being processed. */
    private int inFlightStatus = 409;

    @NestedConfigurationProperty private final FilterProperties filter = new FilterProperties();

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
  }

  /** A servlet filter that needs no annotation. */
  public static class FilterProperties {
    /** Whether requests with the header are checked by a servlet filter, without annotations. */
    private boolean enabled;

    /** Servlet patterns of the paths that the filter is for. */
    private Set<String> urlPatterns = Set.of("/*");

    /** HTTP methods that the filter is for. */
    private Set<String> methods = Set.of("POST", "PATCH");

    /** Whether a request without the header is refused with 400. */
    private boolean required;

    /** Order of the filter. The default is behind Spring Security. */
    private int order;

    /** Name of the deduplicator. Default: the default one. */
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
