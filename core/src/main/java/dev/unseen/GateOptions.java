package dev.unseen;

import dev.unseen.audit.Audit;
import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.ShardedFilter;
import dev.unseen.filter.Window;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import dev.unseen.plan.Planner;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.SnapshotFormat;
import dev.unseen.snapshot.SnapshotMerge;
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

/**
 * The options of a gate and of a deduplicator, and the ways to start one: empty, or from a saved
 * state. Only the memory, or the number of expected keys, has to be named.
 *
 * <p>A state knows the options that it was made with. Of those given here, each is either one that
 * no state keeps (such as {@link #clock} and {@link #onAlarm}), or it is equal to that of the
 * state, or the state is refused, by the name of the option that differs.
 *
 * @param <B> the builder, for calls in a row
 * @param <R> what it builds
 */
public abstract sealed class GateOptions<B extends GateOptions<B, R>, R>
    permits GateBuilder, DeduplicatorBuilder {
  private static final Duration DEFAULT_AHEAD = Duration.ofDays(1);
  private static final Duration DEFAULT_RESERVATION = Duration.ofMinutes(1);
  private static final int DEFAULT_RESERVATIONS = 100_000;

  private final SpecOptions filter = new SpecOptions();
  private InstantSource clock = InstantSource.system();
  private long maxAhead = DEFAULT_AHEAD.toMillis();
  private long maxJump = Long.MAX_VALUE;
  private long reservationMillis = DEFAULT_RESERVATION.toMillis();
  private int maxReservations = DEFAULT_RESERVATIONS;
  private AuditSpec audit; // null: none
  private Consumer<? super Alarm> onAlarm = AlarmBell::log;
  private boolean concurrent;

  GateOptions() {}

  /** Returns this builder. */
  abstract B self();

  /** Returns what is built around a gate. */
  abstract R around(Gate gate);

  /** Returns what the keys are. */
  abstract KeyForm formOfKeys();

  /** Returns whether times come with the records. */
  abstract boolean isEventTime();

  /** Sets the bytes that the filter may take, a hard cap: {@code memory(MiB(256))}. */
  public B memory(long bytes) {
    filter.memoryBytes = bytes;
    return self();
  }

  /**
   * Sets the largest share of new records that may be lost. {@link FilterKind#RECENCY} keeps it
   * whatever comes (1e-9 to 1e-2; 1e-4 unless set). Of the other kinds, {@link #expecting} chooses
   * one that keeps it, {@link #expectedKeys} gives BLOOM the memory for it, and an alarm is raised
   * above it.
   */
  public B maxFalsePositiveRate(double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException(
          "maxFalsePositiveRate (%s) must be above 0 and below 1".formatted(rate));
    }
    filter.maxFpr = rate;
    return self();
  }

  /** Sets how long a key counts as seen; for as long as memory holds it unless set. */
  public B window(Window window) {
    return set(
        Parameter.WINDOW, Objects.requireNonNull(window, "window is null; Window.NONE is none"));
  }

  /** Sets what a duplicate does to its key; adaptive unless set. */
  public B refresh(Refresh refresh) {
    return set(
        Parameter.REFRESH, Objects.requireNonNull(refresh, "refresh is null; name one of Refresh"));
  }

  /** Sets the kind of filter; {@link FilterKind#RECENCY} unless set or planned. */
  public B kind(FilterKind kind) {
    filter.kind = Objects.requireNonNull(kind, "kind is null; name one of FilterKind");
    return self();
  }

  /** Sets the positions of a key, k; the kind's usual number unless set. */
  public B hashes(int k) {
    filter.requireHashes(k);
    return set(Parameter.HASHES, k);
  }

  /** Sets any parameter of the kind: {@code set(Parameter.SHARE, 0.3)}. */
  public <T> B set(Parameter<T> parameter, T value) {
    filter.parameters.put(parameter, value);
    return self();
  }

  /**
   * Sets the distinct keys that the filter has to hold at one time: those of the whole stream, or
   * of one window. Without {@link #memory} it gets the memory for that: RECENCY then forgets at
   * most one in 10,000 of them too early, and BLOOM keeps {@link #maxFalsePositiveRate}. With
   * memory, BLOOM takes from it the best k.
   */
  public B expectedKeys(long keys) {
    if (keys < 1) {
      throw new IllegalArgumentException("expectedKeys (%d) must be at least 1".formatted(keys));
    }
    filter.expectedKeys = keys;
    return self();
  }

  /**
   * Sets the records to come, and the share of them that is the first of its key: the {@link
   * Planner} then chooses the kind, and k, that get the fewest records wrong. If a kind is set, it
   * chooses the k only.
   *
   * <pre>{@code
   * Deduplicator<Click> dedup =
   *     Deduplicator.builder(Keys.utf8(Click::id))
   *         .memory(MiB(512))
   *         .expecting(1_000_000_000, 0.6)
   *         .build(); // a plain Bloom filter: the keys fit
   * }</pre>
   */
  public B expecting(long records, double distinctShare) {
    filter.expecting(records, distinctShare);
    return self();
  }

  /**
   * Sets the seed of the key hash and of all that is random: same seed, same records, same answers,
   * in any process. Who knows the seed can craft records that suppress others: it is for
   * experiments, and for keys that no stranger chooses. Unless it is set there is a {@link
   * #secret}.
   */
  public B seed(long seed) {
    filter.seed = seed;
    return self();
  }

  /**
   * Sets the secret that keys are hashed with; unless it or a {@link #seed} is set, one is drawn. A
   * saved state keeps it. States, gates and shards that are to be merged need the same secret, so
   * processes that share their work share one.
   */
  public B secret(Secret secret) {
    filter.secret(Objects.requireNonNull(secret, "secret is null; leave it out, and one is drawn"));
    return self();
  }

  /**
   * Sets how keys are hashed; {@link HashKind#XXH3} unless set. Use {@link HashKind#SIPHASH} if
   * strangers can send millions of keys and watch which of them are taken for duplicates.
   */
  public B hash(HashKind hash) {
    filter.hash = Objects.requireNonNull(hash, "hash is null; name one of HashKind");
    return self();
  }

  /** Measures errors on the stream itself: {@code audit(oneIn(1024))}. See {@link Audit}. */
  public B audit(AuditSpec audit) {
    this.audit = Objects.requireNonNull(audit, "audit is null; leave it out for none");
    return self();
  }

  /**
   * Sets what to do at an {@link Alarm}; unless set, its message is logged as a warning by {@code
   * System.Logger} "dev.unseen". Called once each time that a reason begins, by the thread that
   * notices. If it throws, that is logged, and no record is lost by it.
   */
  public B onAlarm(Consumer<? super Alarm> action) {
    this.onAlarm = Objects.requireNonNull(action, "action is null");
    return self();
  }

  /**
   * Makes it safe for any number of threads: the filter becomes a {@link ShardedFilter}. Not for
   * windows of records.
   */
  public B concurrent() {
    this.concurrent = true;
    return self();
  }

  /**
   * Sets the clock that tells when records arrive: for windows of time, to check event times, and
   * for reservations. The system's clock unless set; a {@code java.time.Clock} will do.
   */
  public B clock(InstantSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock is null; InstantSource.system() is usual");
    return self();
  }

  /**
   * Sets how much later than its arrival the event time of a record may be; a day unless set. A
   * later one is a bad clock or a wrong unit: it is counted as rejected, and the record counts as
   * seen at the latest time before.
   */
  public B maxTimeAhead(Duration ahead) {
    this.maxAhead = positive("maxTimeAhead", ahead);
    return self();
  }

  /**
   * Sets how much later than the latest event time before it that of a record may be; any unless
   * set. For old records that are replayed, whose times are all long before they arrive.
   */
  public B maxTimeJump(Duration jump) {
    this.maxJump = positive("maxTimeJump", jump);
    return self();
  }

  /** Sets after which time a reservation ends by itself; a minute unless set. */
  public B reservationTimeout(Duration timeout) {
    this.reservationMillis = positive("reservationTimeout", timeout);
    return self();
  }

  /**
   * Sets how many keys may be reserved at one time, at about 100 bytes each; 100,000 unless set.
   */
  public B maxReservations(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("maxReservations (%d) must be at least 1".formatted(most));
    }
    this.maxReservations = most;
    return self();
  }

  private static long positive(String name, Duration duration) {
    if (duration.isNegative() || duration.toMillis() < 1) {
      throw new IllegalArgumentException("%s (%s) must be at least 1 ms".formatted(name, duration));
    }
    return duration.toMillis();
  }

  /** Returns the spec of the filter that {@link #build} would make. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** Makes an empty one, and allocates its memory. */
  public R build() {
    return build(filter.spec());
  }

  /** Makes one with exactly this filter, whatever else was set about it. */
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
            reservationMillis,
            maxReservations,
            onAlarm);
    return around(new Gate(state, settings));
  }

  /**
   * Goes on from a saved state, as if it had never stopped.
   *
   * @throws SnapshotException if the file is damaged, or is not a state
   * @throws IllegalArgumentException if an option differs from that of the state
   */
  public R load(Path file) throws IOException {
    return restore(StateFile.read(file));
  }

  /** Goes on from a state in a stream, which is read to the end of the state and stays open. */
  public R load(InputStream from) throws IOException {
    return load(Channels.newChannel(from));
  }

  /** Goes on from a state in a channel, which is read to the end of the state and stays open. */
  public R load(ReadableByteChannel from) throws IOException {
    return restore(SnapshotFormat.read(from, "the state"));
  }

  /**
   * Goes on from a saved state if the file is there, and starts empty if it is not: what a service
   * does at every start.
   */
  public R loadOrBuild(Path file) throws IOException {
    return Files.exists(file) ? load(file) : build();
  }

  /**
   * Makes one from shards that {@code saveShard} wrote, perhaps in several processes. It holds
   * those shards only, and refuses keys of others.
   *
   * @param shards a stream for each, which is read to the end of the shard and stays open
   */
  public R loadShards(List<? extends InputStream> shards) throws IOException {
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("shards is empty; name at least one");
    }
    Snapshot joined = null;
    for (InputStream shard : shards) {
      Snapshot next = SnapshotFormat.read(Channels.newChannel(shard), "the shard");
      joined = joined == null ? next : SnapshotMerge.merge(joined, next);
    }
    return restore(joined);
  }

  /** Goes on from a state that is loaded already. */
  public R restore(Snapshot state) {
    state.requireStorage();
    StateCheck check = new StateCheck(state);
    check.filter(filter.specLike(state.spec()));
    check.keyForm(formOfKeys());
    check.eventTime(isEventTime());
    check.concurrent(concurrent);
    check.audit(audit);
    check.refuse();
    return start(state.withMaxFpr(filter.maxFprOr(state.maxFpr())));
  }
}
