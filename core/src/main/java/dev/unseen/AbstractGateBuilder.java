package dev.unseen;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.clock.SteadyClock;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.error.DifferentOptionsException.Difference;
import dev.unseen.error.OptionException;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import dev.unseen.text.Print;
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
import org.jspecify.annotations.Nullable;

/**
 * Builds a gate or a deduplicator: empty, or from a saved state.
 *
 * <p>A saved state contains the options that it was created with. An option that is set here and
 * contained in the state must have the same value in both; otherwise loading fails with a message
 * that names the option. Options such as {@link #clock} and {@link #onAlarm} are in no state, so
 * they are set on every startup.
 *
 * @param <B> the type of the builder, so that calls can be chained
 * @param <R> the type that it builds
 */
abstract sealed class AbstractGateBuilder<B extends AbstractGateBuilder<B, R>, R>
    extends GateOptions<B> permits GateBuilder, DeduplicatorBuilder {
  private @Nullable Secret drawn; // null: not needed yet
  private InstantSource clock = SteadyClock.system();
  private LongSupplier ticker = System::nanoTime;
  private Consumer<? super Alarm> onAlarm = AlarmBell::log;

  AbstractGateBuilder() {}

  abstract R around(Gate gate);

  abstract KeyForm formOfKeys();

  /** Returns whether keys are available, so that they can be hashed again with another hash. */
  abstract boolean hasKeys();

  /** Measures the errors on the stream itself: {@code audit(oneIn(1024))}. Default: no audit. */
  public B audit(AuditSpec audit) {
    return set(Option.AUDIT, audit);
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

  /** Makes the gate safe for any number of threads. Needs 8 KiB; excludes a window of records. */
  public B concurrent() {
    return set(Option.CONCURRENT, true);
  }

  /**
   * Sets the clock of arrivals. Default: elapsed time, which survives wrong readings of the
   * machine's clock. The readings of a {@code java.time.Clock} are used as they are.
   */
  public B clock(InstantSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock is null; leave it out for the default");
    return self();
  }

  /** Sets the elapsed time after which a reservation ends automatically. Default: one minute. */
  public B reservationTimeout(Duration timeout) {
    return set(Option.RESERVATION_TIMEOUT, limited(timeout));
  }

  /** Sets the nanoseconds since any moment, by which reservations time out. It is for tests. */
  B ticker(LongSupplier nanos) {
    this.ticker = nanos;
    return self();
  }

  /** Sets how many keys may be reserved at one time, at 100 bytes each. Default: 100,000. */
  public B maxReservations(int most) {
    return set(Option.MAX_RESERVATIONS, most);
  }

  private boolean isConcurrent() {
    return config().is(Option.CONCURRENT);
  }

  private ConfiguredSpec configured() {
    return new ConfiguredSpec(config(), this::drawn);
  }

  /** Returns the secret if none is set. It is drawn once, so that a second spec is equal. */
  private Secret drawn() {
    if (drawn == null) {
      drawn = Secret.random();
    }
    return drawn;
  }

  /** Returns the spec of the filter that {@link #build} would create. */
  public FilterSpec spec() {
    return configured().spec();
  }

  /** Creates an empty gate or deduplicator and allocates its memory. */
  public R build() {
    return build(spec());
  }

  /** Creates an empty gate or deduplicator with exactly this filter, whatever options are set. */
  public R build(FilterSpec spec) {
    DuplicateFilter empty = isConcurrent() ? ShardedFilter.of(spec) : Filters.create(spec);
    Snapshot state =
        Snapshot.of(empty, 0, 0).withMaxFpr(config().get(Option.MAX_FPR, spec.maxFpr()));
    return start(
        config().get(Option.AUDIT).map(audit -> state.with(new Audit(audit, spec))).orElse(state));
  }

  private R start(Snapshot state) {
    Window window = state.spec().window();
    boolean eventTime = config().is(Option.EVENT_TIME) && window.isTime();
    if (window.isTime() && eventTime != window.lateness() > 0) {
      throw OptionException.outOfRange(
          "maxLateness",
          Print.duration(Duration.ofMillis(window.lateness())),
          eventTime ? "at least 1 ms for event time" : "left out without {eventTime}");
    }
    config()
        .get(Option.LATE_RECORDS)
        .filter(policy -> !eventTime)
        .ifPresent(
            policy -> {
              throw OptionException.outOfRange(
                      "lateRecords",
                      Option.LATE_RECORDS.print(policy),
                      "left out, unless there is a window of event time")
                  .remedy("set {eventTime} and a {window} of time, or leave it out");
            });
    return around(
        new Gate(state, new GateSettings(config(), formOfKeys(), clock, ticker, onAlarm)));
  }

  /**
   * Loads a saved state and continues from it, as if the process had never stopped.
   *
   * @throws SnapshotException if the file is damaged, or is not a state
   * @throws DifferentOptionsException if an option differs from that of the state
   */
  public R load(Path file) throws IOException {
    return restore(StateFile.read(file));
  }

  /** Loads a state from a stream, which is read to the end of the state and stays open. */
  public R load(InputStream from) throws IOException {
    return load(Channels.newChannel(from));
  }

  /** Loads a state from a channel, which is read to the end of the state and stays open. */
  public R load(ReadableByteChannel from) throws IOException {
    return restore(Snapshot.read(from, "the state"));
  }

  /** Loads the state from the file if it exists, and starts empty otherwise. */
  public R loadOrBuild(Path file) throws IOException {
    return Files.exists(file) ? load(file) : build();
  }

  /**
   * Creates a gate or deduplicator from shards that {@code saveShard} wrote, possibly in several
   * processes. It holds only these shards and rejects keys of other shards.
   *
   * @param shards one stream per shard, which is read to the end of the shard and stays open
   */
  public R loadShards(List<? extends InputStream> shards) throws IOException {
    Objects.requireNonNull(shards, "shards is null; name at least one");
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("shards is empty; name at least one");
    }
    @Nullable Snapshot joined = null;
    for (InputStream shard : shards) {
      Snapshot next = Snapshot.read(Channels.newChannel(shard), "the shard");
      joined = joined == null ? next : Snapshot.merge(joined, next);
    }
    return restore(Objects.requireNonNull(joined));
  }

  /**
   * Continues from a state in memory. Fails with a {@link DifferentOptionsException}, as load does.
   */
  public R restore(Snapshot state) {
    state.requireStorage();
    FilterSpec wanted = configured().like(state);
    List<Difference> differences = StateCheck.differences(state, wanted, config(), formOfKeys());
    Snapshot next = differences.isEmpty() ? state : grown(state, wanted, differences);
    return start(next.withMaxFpr(config().get(Option.MAX_FPR, next.maxFpr())));
  }

  private Snapshot grown(Snapshot state, FilterSpec wanted, List<Difference> differences) {
    boolean canGrow = StateCheck.canGrow(differences, hasKeys());
    if (!canGrow || config().get(Option.ON_CHANGE, OnChange.REJECT) != OnChange.GROW) {
      throw new DifferentOptionsException(differences, canGrow);
    }
    return state.replacedBy(wanted, isConcurrent(), config().get(Option.AUDIT), clock.millis());
  }
}
