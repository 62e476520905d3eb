package dev.unseen;

import dev.unseen.audit.Audit;
import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The options of a gate and of a deduplicator, and the ways to create one: empty, or from a saved
 * state. Only the memory or the number of expected keys must be set.
 *
 * <p>A saved state contains the options that it was created with. An option that is set here and
 * contained in the state must have the same value in both; otherwise loading fails with a message
 * that names the option. Options such as {@link #clock} and {@link #onAlarm} are in no state, so
 * they are set at every start.
 *
 * @param <B> the type of the builder, so that calls can be chained
 * @param <R> the type that it builds
 */
public abstract sealed class GateOptions<B extends GateOptions<B, R>, R>
    permits GateBuilder, DeduplicatorBuilder {
  private static final Duration DEFAULT_AHEAD = Duration.ofDays(1);
  private static final Duration DEFAULT_RESERVATION = Duration.ofMinutes(1);
  private static final int DEFAULT_RESERVATIONS = 100_000;

  /** A longer time means the same, but the sum of it and the time of today can overflow. */
  private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE / 2);

  private final SpecOptions filter = new SpecOptions();
  private InstantSource clock = InstantSource.system();
  private long maxAhead = DEFAULT_AHEAD.toMillis();
  private long maxJump = Long.MAX_VALUE;
  private Duration reservationTimeout = DEFAULT_RESERVATION;
  private LongSupplier ticker = System::nanoTime;
  private int maxReservations = DEFAULT_RESERVATIONS;
  private AuditSpec audit; // null: no audit
  private Consumer<? super Alarm> onAlarm = AlarmBell::log;
  private boolean concurrent;

  GateOptions() {}

  /** Returns this builder. */
  abstract B self();

  /** Returns the result, built around a gate. */
  abstract R around(Gate gate);

  /** Returns the form of the keys. */
  abstract KeyForm formOfKeys();

  /** Returns whether the times come with the records. */
  abstract boolean isEventTime();

  /** Sets the memory of the filter in bytes, which is a hard cap: {@code memory(MiB(256))}. */
  public B memory(long bytes) {
    if (bytes == 0) { // which stands for a memory that is not set
      throw new IllegalArgumentException("memory (0 bytes) must be at least 64 bytes");
    }
    filter.memoryBytes = bytes;
    return self();
  }

  /**
   * Sets the largest share of new records that may be lost. {@link FilterKind#RECENCY} guarantees
   * it for any stream (1e-9 to 1e-2; default 1e-4). For the other kinds an alarm is raised above
   * it, and {@link #expectedKeys} gives BLOOM enough memory for it.
   */
  public B maxFalsePositiveRate(double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException(
          "maxFalsePositiveRate (%s) must be above 0 and below 1".formatted(rate));
    }
    filter.maxFpr = rate;
    return self();
  }

  /**
   * Sets how long a key counts as seen. By default a key counts as seen as long as the memory holds
   * it.
   */
  public B window(Window window) {
    return set(
        Parameter.WINDOW, Objects.requireNonNull(window, "window is null; Window.NONE is none"));
  }

  /** Sets what a duplicate does to its key. Default: {@link Refresh#ADAPTIVE}. */
  public B refresh(Refresh refresh) {
    return set(
        Parameter.REFRESH, Objects.requireNonNull(refresh, "refresh is null; name one of Refresh"));
  }

  /** Sets the kind of filter. Default: {@link FilterKind#RECENCY}. */
  public B kind(FilterKind kind) {
    filter.kind = Objects.requireNonNull(kind, "kind is null; name one of FilterKind");
    return self();
  }

  /** Sets the number of positions of a key, k in the paper. Each kind has its own default. */
  public B hashes(int k) {
    filter.requireHashes(k);
    return set(Parameter.HASHES, k);
  }

  /** Sets any parameter of the kind, for example {@code set(Parameter.SHARE, 0.3)}. */
  public <T> B set(Parameter<T> parameter, T value) {
    Objects.requireNonNull(parameter, "parameter is null; name one of Parameter");
    Objects.requireNonNull(
        value, () -> parameter.name() + " is null; leave it out for the default");
    filter.parameters.put(parameter, value);
    return self();
  }

  /**
   * Sets the number of distinct keys that the filter must hold at one time: the keys of the whole
   * stream, or of one window. If {@link #memory} is not set, the filter gets enough memory for
   * these keys: RECENCY then forgets at most one in 10,000 of them too early, and BLOOM meets
   * {@link #maxFalsePositiveRate}. If the memory is set too, it must be enough for RECENCY, and
   * BLOOM uses the best k for these keys. The other kinds forget at random, so they cannot promise
   * to hold any number of keys.
   */
  public B expectedKeys(long keys) {
    if (keys < 1) {
      throw new IllegalArgumentException("expectedKeys (%d) must be at least 1".formatted(keys));
    }
    filter.expectedKeys = keys;
    return self();
  }

  /**
   * Sets the seed of the key hash and of all random choices: the same seed and the same records
   * give the same answers in any process. Anyone who knows the seed can craft records that make
   * other records look like duplicates, so use a seed only for experiments and for keys that no
   * stranger chooses. If no seed is set, a {@link #secret} is used.
   */
  public B seed(long seed) {
    filter.seed = seed;
    return self();
  }

  /**
   * Sets the secret that keys are hashed with. If neither a secret nor a {@link #seed} is set, a
   * random secret is drawn. A saved state contains the secret. States, gates and shards can only be
   * merged if they have the same secret, so processes that share their work need the same one.
   */
  public B secret(Secret secret) {
    filter.secret(Objects.requireNonNull(secret, "secret is null; leave it out, and one is drawn"));
    return self();
  }

  /**
   * Sets how keys are hashed. Default: {@link HashKind#XXH3}. Use {@link HashKind#SIPHASH} if
   * strangers can send millions of keys and see which of them are treated as duplicates.
   */
  public B hash(HashKind hash) {
    filter.hash = Objects.requireNonNull(hash, "hash is null; name one of HashKind");
    return self();
  }

  /**
   * Measures the errors on the stream itself, for example with {@code audit(oneIn(1024))}. By
   * default there is no audit. See {@link Audit}.
   */
  public B audit(AuditSpec audit) {
    this.audit = Objects.requireNonNull(audit, "audit is null; leave it out for none");
    return self();
  }

  /**
   * Sets the action for an {@link Alarm}. By default the message of the alarm is logged as a
   * warning by {@code System.Logger} "dev.unseen". The action is called once each time a problem
   * starts, by the thread that notices it. If the action throws an exception, the exception is
   * logged and no record is lost.
   */
  public B onAlarm(Consumer<? super Alarm> action) {
    this.onAlarm = Objects.requireNonNull(action, "action is null");
    return self();
  }

  /**
   * Makes the gate safe for any number of threads, in all its methods: the filter is divided into
   * 128 parts. This cannot be combined with a window of records, and needs a memory of at least 8
   * KiB.
   */
  public B concurrent() {
    this.concurrent = true;
    return self();
  }

  /**
   * Sets the clock that returns the time of arrival, for windows of time and for checks of event
   * times. By default it is the system's clock. A {@code java.time.Clock} can be used.
   */
  public B clock(InstantSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock is null; InstantSource.system() is usual");
    return self();
  }

  /**
   * Sets how much later than its arrival the event time of a record may be. Default: one day. A
   * later time means a wrong clock or a wrong unit: it is counted as rejected, and the record
   * counts as seen at the latest time so far.
   */
  public B maxTimeAhead(Duration ahead) {
    this.maxAhead = positive("maxTimeAhead", ahead);
    return self();
  }

  /**
   * Sets how much later than the latest event time so far the event time of a record may be. By
   * default there is no limit. Use it for old records that are replayed, because their times are
   * all long before their arrival.
   */
  public B maxTimeJump(Duration jump) {
    this.maxJump = positive("maxTimeJump", jump);
    return self();
  }

  /**
   * Sets by how much the event time of a record may be before the latest event time so far.
   * Default: the length of the window. A late record is compared by its own time, for which keys
   * are kept as much longer than the window. A record that is later cannot be checked: it is
   * admitted and counted ({@link Report#lateTimes}). At most 1,000 windows; more than one takes
   * some room in memory.
   */
  public B maxLateness(Duration lateness) {
    filter.lateness =
        Objects.requireNonNull(lateness, "maxLateness is null; leave it out for the default");
    return self();
  }

  /**
   * Sets the time after which a reservation ends automatically. Default: one minute. It is elapsed
   * time, which does not depend on {@link #clock}.
   */
  public B reservationTimeout(Duration timeout) {
    this.reservationTimeout = Duration.ofMillis(positive("reservationTimeout", timeout));
    return self();
  }

  /** Sets the nanoseconds since any moment, by which reservations time out. It is for tests. */
  B ticker(LongSupplier nanos) {
    this.ticker = nanos;
    return self();
  }

  /**
   * Sets the number of keys that may be reserved at one time, at about 100 bytes each. Default:
   * 100,000.
   */
  public B maxReservations(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("maxReservations (%d) must be at least 1".formatted(most));
    }
    this.maxReservations = most;
    return self();
  }

  private static long positive(String name, Duration duration) {
    Objects.requireNonNull(duration, name + " is null; leave it out for the default");
    if (duration.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("%s (%s) must be at least 1 ms".formatted(name, duration));
    }
    return duration.compareTo(FOREVER) < 0 ? duration.toMillis() : FOREVER.toMillis();
  }

  /** Returns the spec of the filter that {@link #build} would create. */
  public FilterSpec spec() {
    filter.eventTime = isEventTime();
    FilterSpec spec = filter.spec(concurrent);
    if (concurrent) {
      ShardedFilter.requireDivisible(spec);
    }
    return spec;
  }

  /** Creates an empty gate or deduplicator and allocates its memory. */
  public R build() {
    return build(spec());
  }

  /**
   * Creates an empty gate or deduplicator with exactly this filter. All other options about the
   * filter are ignored.
   */
  public R build(FilterSpec spec) {
    DuplicateFilter empty = concurrent ? ShardedFilter.of(spec) : spec.build();
    Snapshot state = Snapshot.of(empty, 0, 0).withMaxFpr(filter.maxFprOr(spec.maxFpr()));
    return start(audit == null ? state : state.with(new Audit(audit, spec)));
  }

  private R start(Snapshot state) {
    GateSettings settings =
        new GateSettings(
            formOfKeys(),
            isEventTime(),
            clock,
            maxAhead,
            maxJump,
            reservationTimeout,
            ticker,
            maxReservations,
            onAlarm);
    return around(new Gate(state, settings));
  }

  /**
   * Loads a saved state and continues from it, as if the process had never stopped.
   *
   * @throws SnapshotException if the file is damaged, or is not a state
   * @throws IllegalArgumentException if an option differs from that of the state
   */
  public R load(Path file) throws IOException {
    return restore(StateFile.read(file));
  }

  /**
   * Loads a state from a stream and continues from it. The stream is read to the end of the state
   * and stays open.
   */
  public R load(InputStream from) throws IOException {
    return load(Channels.newChannel(from));
  }

  /**
   * Loads a state from a channel and continues from it. The channel is read to the end of the state
   * and stays open.
   */
  public R load(ReadableByteChannel from) throws IOException {
    return restore(Snapshot.read(from, "the state"));
  }

  /**
   * Loads the state from the file if it exists, and starts empty otherwise. A service calls this at
   * every start.
   */
  public R loadOrBuild(Path file) throws IOException {
    return Files.exists(file) ? load(file) : build();
  }

  /**
   * Creates a gate or deduplicator from shards that {@code saveShard} wrote, possibly in several
   * processes. It holds only these shards and refuses keys of other shards.
   *
   * @param shards one stream per shard, which is read to the end of the shard and stays open
   */
  public R loadShards(List<? extends InputStream> shards) throws IOException {
    Objects.requireNonNull(shards, "shards is null; name at least one");
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("shards is empty; name at least one");
    }
    Snapshot joined = null;
    for (InputStream shard : shards) {
      Snapshot next = Snapshot.read(Channels.newChannel(shard), "the shard");
      joined = joined == null ? next : Snapshot.merge(joined, next);
    }
    return restore(joined);
  }

  /** Continues from a state that is already in memory. */
  public R restore(Snapshot state) {
    state.requireStorage();
    StateCheck check = new StateCheck(state);
    filter.eventTime = isEventTime();
    check.filter(filter.specLike(state.spec(), state.shards() > 1));
    check.keyForm(formOfKeys());
    check.eventTime(isEventTime());
    check.concurrent(concurrent);
    check.audit(audit);
    check.refuse();
    return start(state.withMaxFpr(filter.maxFprOr(state.maxFpr())));
  }
}
