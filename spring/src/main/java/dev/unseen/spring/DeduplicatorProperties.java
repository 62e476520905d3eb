package dev.unseen.spring;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Refresh;
import dev.unseen.hash.HashKind;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.util.unit.DataSize;

/** The properties of one deduplicator. What is not set is as in the saved state, or the default. */
public class DeduplicatorProperties {
  static final int DEFAULT_MAX_RESERVATIONS = 100_000; // that of core

  /**
   * Memory of the filter, a hard cap. Default: 16MB, room for about 5 million keys, unless
   * expected-keys is set.
   */
  private DataSize memory;

  /** Number of keys that the filter must hold at one time. Sets the memory if memory is not set. */
  private Long expectedKeys;

  /** Share of new records that may be mistaken for duplicates, 1e-9 to 0.01. Default: 1e-4. */
  private Double maxFalsePositiveRate;

  /** How long a key counts as seen. Default: as long as the memory holds it. */
  private Duration window;

  /** Kind of filter. Default: recency. */
  private FilterKind kind;

  /** What a duplicate does to its key. Default: adaptive. */
  private Refresh refresh;

  /** Hash of the keys. Default: xxh3. */
  private HashKind hash;

  /**
   * Secret that keys are hashed with, 32 hexadecimal digits. Default: a random one, which the state
   * keeps.
   */
  private String secret;

  /** Public seed in place of a secret, for experiments that others can repeat. */
  private Long seed;

  /** Share of the keys that an audit follows to measure the errors, such as 1/1024. */
  private String audit;

  /** Time after which the reservation of a key expires. Default: 1m. */
  private Duration reservationTimeout;

  /** Number of keys that may be reserved at one time. Default: 100000. */
  private Integer maxReservations;

  /**
   * Action if properties differ from those that the state was saved with: reject, or grow, which
   * forgets nothing. Default: reject.
   */
  private OnChange onChange;

  /** Time after which the filter from before a change is dropped at the latest. Default: none. */
  private Duration maxHandover;

  @NestedConfigurationProperty private final StateProperties state = new StateProperties();
  @NestedConfigurationProperty private final RemoteProperties remote = new RemoteProperties();

  public DataSize getMemory() {
    return memory;
  }

  public void setMemory(DataSize memory) {
    this.memory = memory;
  }

  public Long getExpectedKeys() {
    return expectedKeys;
  }

  public void setExpectedKeys(Long expectedKeys) {
    this.expectedKeys = expectedKeys;
  }

  public Double getMaxFalsePositiveRate() {
    return maxFalsePositiveRate;
  }

  public void setMaxFalsePositiveRate(Double maxFalsePositiveRate) {
    this.maxFalsePositiveRate = maxFalsePositiveRate;
  }

  public Duration getWindow() {
    return window;
  }

  public void setWindow(Duration window) {
    this.window = window;
  }

  public FilterKind getKind() {
    return kind;
  }

  public void setKind(FilterKind kind) {
    this.kind = kind;
  }

  public Refresh getRefresh() {
    return refresh;
  }

  public void setRefresh(Refresh refresh) {
    this.refresh = refresh;
  }

  public HashKind getHash() {
    return hash;
  }

  public void setHash(HashKind hash) {
    this.hash = hash;
  }

  public String getSecret() {
    return secret;
  }

  public void setSecret(String secret) {
    this.secret = secret;
  }

  public Long getSeed() {
    return seed;
  }

  public void setSeed(Long seed) {
    this.seed = seed;
  }

  public String getAudit() {
    return audit;
  }

  public void setAudit(String audit) {
    this.audit = audit;
  }

  public Duration getReservationTimeout() {
    return reservationTimeout;
  }

  public void setReservationTimeout(Duration reservationTimeout) {
    this.reservationTimeout = reservationTimeout;
  }

  public Integer getMaxReservations() {
    return maxReservations;
  }

  public void setMaxReservations(Integer maxReservations) {
    this.maxReservations = maxReservations;
  }

  public OnChange getOnChange() {
    return onChange;
  }

  public void setOnChange(OnChange onChange) {
    this.onChange = onChange;
  }

  public Duration getMaxHandover() {
    return maxHandover;
  }

  public void setMaxHandover(Duration maxHandover) {
    this.maxHandover = maxHandover;
  }

  public StateProperties getState() {
    return state;
  }

  public RemoteProperties getRemote() {
    return remote;
  }

  /** A server that keeps the keys, so that several instances share them. */
  public static class RemoteProperties {
    /**
     * Server that keeps the keys, redis://host:port, so that several instances share them. Default:
     * none, and the keys are in this process.
     */
    private String uri;

    /** Key of the filter on the server. */
    private String key;

    /** Time that a call waits for the server. Default: 2s. */
    private Duration timeout = Duration.ofSeconds(2);

    public String getUri() {
      return uri;
    }

    public void setUri(String uri) {
      this.uri = uri;
    }

    public String getKey() {
      return key;
    }

    public void setKey(String key) {
      this.key = key;
    }

    public Duration getTimeout() {
      return timeout;
    }

    public void setTimeout(Duration timeout) {
      this.timeout = timeout;
    }
  }

  /** Where the state is kept over restarts. */
  public static class StateProperties {
    /**
     * File that the filter is loaded from on startup, and saved to. Default: none, and a restart
     * forgets all keys.
     */
    private String file; // as a Path, Spring would look for it in the web root first

    /** Time between two saves. The state is also saved when the application ends. Default: 1m. */
    private Duration saveEvery = Duration.ofMinutes(1);

    /**
     * What to do if the file is damaged: reject it and not start, or set-aside. Default: reject.
     */
    private OnDamage onDamage = OnDamage.REJECT;

    /**
     * Time to wait for another process that has the file open, as in a rolling update. Default: 0s.
     */
    private Duration lockTimeout = Duration.ZERO;

    public String getFile() {
      return file;
    }

    public void setFile(String file) {
      this.file = file;
    }

    /**
     * Returns the file, or null if there is none. A relative one is in the working directory.
     *
     * @throws InvalidPathException if the text cannot be the name of a file
     */
    Path path() {
      return file == null || file.isEmpty() ? null : Path.of(file);
    }

    public Duration getSaveEvery() {
      return saveEvery;
    }

    public void setSaveEvery(Duration saveEvery) {
      this.saveEvery = saveEvery;
    }

    public OnDamage getOnDamage() {
      return onDamage;
    }

    public void setOnDamage(OnDamage onDamage) {
      this.onDamage = onDamage;
    }

    public Duration getLockTimeout() {
      return lockTimeout;
    }

    public void setLockTimeout(Duration lockTimeout) {
      this.lockTimeout = lockTimeout;
    }
  }

  /** What to do with a state file that is damaged. */
  public enum OnDamage {
    /** Do not start. */
    REJECT,
    /** Rename the file, log a warning, and start with an empty filter. */
    SET_ASIDE
  }
}
