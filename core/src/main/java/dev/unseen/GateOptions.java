package dev.unseen;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import java.time.Duration;
import java.util.Objects;

/**
 * The options that all builders have in common: those of a {@link Gate}, of a {@link Deduplicator},
 * and of the operators for stream processors. Only the memory or the number of expected keys must
 * be set. Each method sets one {@link Option}.
 *
 * @param <B> the type of the builder, so that calls can be chained
 */
public abstract class GateOptions<B extends GateOptions<B>> {
  /** A longer time means the same, but the sum of it and the time of today can overflow. */
  static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE / 2);

  private GateConfig config = GateConfig.EMPTY;

  /** Creates a builder in which no option is set. */
  protected GateOptions() {}

  /** Returns this builder. */
  protected abstract B self();

  /** Returns the options that were set. */
  public final GateConfig config() {
    return config;
  }

  /** Sets all options that are set in this configuration. */
  public B config(GateConfig options) {
    config = config.with(options);
    return self();
  }

  /** Sets any option, for example {@code set(Option.SHARE, 0.3)}. */
  public <V> B set(Option<V> option, V value) {
    config = config.with(Objects.requireNonNull(option, "option is null"), value);
    return self();
  }

  /** Sets the memory of the filter in bytes, which is a hard cap: {@code memory(MiB(256))}. */
  public B memory(long bytes) {
    return set(Option.MEMORY, bytes);
  }

  /**
   * Sets the largest share of new records that may be lost. {@link FilterKind#RECENCY} guarantees
   * it for any stream (1e-9 to 1e-2; default 1e-4). For the other kinds, {@link #expectedKeys}
   * gives BLOOM enough memory for it, and an alarm is raised above it.
   */
  public B maxFalsePositiveRate(double rate) {
    return set(Option.MAX_FPR, rate);
  }

  /**
   * Sets how long a key counts as seen. By default a key counts as seen as long as the memory holds
   * it.
   */
  public B window(Window window) {
    set(Option.WINDOW, window);
    return window.lateness() == 0 ? self() : maxLateness(Duration.ofMillis(window.lateness()));
  }

  /** Sets what a duplicate does to its key. Default: {@link Refresh#ADAPTIVE}. */
  public B refresh(Refresh refresh) {
    return set(Option.REFRESH, refresh);
  }

  /** Sets the kind of filter. Default: {@link FilterKind#RECENCY}. */
  public B kind(FilterKind kind) {
    return set(Option.KIND, kind);
  }

  /** Sets the number of positions of a key, k in the paper. Each kind has its own default. */
  public B hashes(int k) {
    return set(Option.HASHES, k);
  }

  /**
   * Sets the number of distinct keys that the filter must hold at one time: the keys of the whole
   * stream, or of one window. If {@link #memory} is not set, the filter gets enough memory for
   * these keys: RECENCY then evicts at most one in 20,000 of them early, and BLOOM meets {@link
   * #maxFalsePositiveRate}. If the memory is set too, it must be enough for RECENCY, and BLOOM uses
   * the best k for these keys. The other kinds evict at random, so they cannot promise to hold any
   * number of keys.
   */
  public B expectedKeys(long keys) {
    return set(Option.EXPECTED_KEYS, keys);
  }

  /**
   * Sets the seed of the key hash and of all random choices: the same seed and the same records
   * give the same answers in any process. Anyone who knows the seed can craft records that make
   * other records look like duplicates, so use a seed only for experiments and for keys that no
   * stranger chooses. If no seed is set, a {@link #secret} is used.
   */
  public B seed(long seed) {
    return set(Option.SEED, seed);
  }

  /**
   * Sets the secret that keys are hashed with. If neither a secret nor a {@link #seed} is set, a
   * random secret is drawn. A saved state contains the secret. States, gates and shards can only be
   * merged if they have the same secret, so processes that share their work need the same one.
   */
  public B secret(Secret secret) {
    return set(Option.SECRET, secret);
  }

  /**
   * Sets how keys are hashed. Default: {@link HashKind#XXH3}; {@link HashKind#SIPHASH} is for
   * strangers who can send millions of keys and see the result for each.
   */
  public B hash(HashKind hash) {
    return set(Option.HASH, hash);
  }

  /**
   * Sets how much later than its arrival the event time of a record may be. Default: one day. A
   * later time means a wrong clock or a wrong unit: the record cannot be checked, so it is counted
   * ({@link Report#rejectedTimes}), and {@link #lateRecords} decides what happens to it.
   */
  public B maxTimeAhead(Duration ahead) {
    return set(Option.MAX_TIME_AHEAD, limited(ahead));
  }

  /**
   * Sets how much later than the latest event time so far the event time of a record may be. By
   * default there is no limit. Use it for old records that are replayed, because their times are
   * all long before their arrival.
   */
  public B maxTimeJump(Duration jump) {
    return set(Option.MAX_TIME_JUMP, limited(jump));
  }

  /**
   * Sets by how much the event time of a record may be before the latest event time so far.
   * Default: the length of the window. A late record is compared by its own time, for which keys
   * are kept as much longer than the window. A record that is later cannot be checked: it is
   * counted ({@link Report#lateTimes}), and {@link #lateRecords} decides what happens to it. At
   * most 1,000 windows; more than one takes some room in memory.
   */
  public B maxLateness(Duration lateness) {
    return set(Option.MAX_LATENESS, limited(lateness));
  }

  /**
   * Sets what happens to a record of event time that cannot be checked, because it is later than
   * {@link #maxLateness} allows or too far in the future. Default: {@link LateRecords#ADMIT}. The
   * option is not part of a saved state.
   */
  public B lateRecords(LateRecords policy) {
    return set(Option.LATE_RECORDS, policy);
  }

  /**
   * Sets what happens if options differ from those that a state was saved with. Default: {@link
   * OnChange#REJECT}. With {@link OnChange#GROW}, memory, rate, window, kind and parameters may
   * change, and nothing that the saved filter knows is forgotten: it is consulted until nothing of
   * it can matter. The memory of both filters is in use until then. Hash, secret and seed may
   * change where keys are available; the form of the keys and the source of times may not.
   */
  public B onChange(OnChange action) {
    return set(Option.ON_CHANGE, action);
  }

  /**
   * Sets the time after which a filter that was replaced because of {@link OnChange#GROW} is
   * dropped at the latest. By default it is dropped when nothing that it knows can matter.
   */
  public B maxHandover(Duration time) {
    return set(Option.MAX_HANDOVER, limited(time));
  }

  static Duration limited(Duration time) {
    return time != null && time.compareTo(FOREVER) > 0 ? FOREVER : time;
  }
}
