package dev.unseen.spring;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Refresh;
import dev.unseen.hash.HashKind;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

/**
 * The properties of one deduplicator: right below {@code unseen} those of the default one. What is
 * not set is null, and as in the saved state or the default.
 *
 * @param memory Memory of the filter, a hard cap. Default: 16MB, room for about 5 million keys,
 *     unless expected-keys is set.
 * @param expectedKeys Number of keys that the filter must hold at one time. Sets the memory if
 *     memory is not set.
 * @param maxFalsePositiveRate Share of new records that may be mistaken for duplicates, 1e-9 to
 *     0.01. Default: 1e-4.
 * @param window How long a key counts as seen. Default: as long as the memory holds it.
 * @param kind Kind of filter. Default: recency.
 * @param refresh What a duplicate does to its key. Default: adaptive.
 * @param hash Hash of the keys. Default: xxh3.
 * @param secret Secret that keys are hashed with, 32 hexadecimal digits. Default: a random one,
 *     which the state keeps.
 * @param seed Public seed in place of a secret, for experiments that others can repeat.
 * @param audit Share of the keys that an audit follows to measure the errors, such as 1/1024.
 * @param reservationTimeout Time after which the reservation of a key expires. Default: 1m.
 * @param maxReservations Number of keys that may be reserved at one time. Default: 100000.
 * @param onChange Action if properties differ from those that the state was saved with: reject, or
 *     grow, which forgets nothing. Default: reject.
 * @param maxHandover Time after which the filter from before a change is dropped at the latest.
 *     Default: none.
 */
@ConfigurationProperties("unseen")
public record DeduplicatorProperties(
    DataSize memory,
    Long expectedKeys,
    Double maxFalsePositiveRate,
    Duration window,
    FilterKind kind,
    Refresh refresh,
    HashKind hash,
    String secret,
    Long seed,
    String audit,
    Duration reservationTimeout,
    Integer maxReservations,
    OnChange onChange,
    Duration maxHandover,
    @DefaultValue StateProperties state,
    @DefaultValue RemoteProperties remote) {

  static final DeduplicatorProperties NONE =
      new Binder(new MapConfigurationPropertySource())
          .bindOrCreate("unseen", DeduplicatorProperties.class);

  /**
   * A server that keeps the keys, so that several instances share them.
   *
   * @param uri Server that keeps the keys, redis://host:port, so that several instances share them.
   *     Default: none, and the keys are in this process.
   * @param key Key of the filter on the server.
   * @param timeout Time that a call waits for the server. Default: 2s.
   */
  public record RemoteProperties(String uri, String key, @DefaultValue("2s") Duration timeout) {}

  /**
   * Where the state is kept over restarts.
   *
   * @param file File that the filter is loaded from on startup, and saved to. Default: none, and a
   *     restart forgets all keys.
   * @param saveEvery Time between two saves. The state is also saved when the application ends.
   *     Default: 1m.
   * @param onDamage What to do if the file is damaged: reject it and not start, or set-aside.
   *     Default: reject.
   * @param lockTimeout Time to wait for another process that has the file open, as in a rolling
   *     update. Default: 0s.
   */
  public record StateProperties(
      String file, // as a Path, Spring would look for it in the web root first
      @DefaultValue("1m") Duration saveEvery,
      @DefaultValue("reject") OnDamage onDamage,
      @DefaultValue("0s") Duration lockTimeout) {
    /**
     * Returns the file, or null if there is none. A relative one is in the working directory.
     *
     * @throws InvalidPathException if the text cannot be the name of a file
     */
    Path path() {
      return file == null || file.isEmpty() ? null : Path.of(file);
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
