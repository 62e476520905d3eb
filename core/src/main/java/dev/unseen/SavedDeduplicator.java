package dev.unseen;

import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Owns a deduplicator and its state file: loads the state or starts empty, saves on a schedule and
 * when it is closed, and keeps the file locked in between.
 *
 * <pre>{@code
 * SavedDeduplicator<Order> orders =
 *     SavedDeduplicator.at(Path.of("orders.uns"))
 *         .saveEvery(Duration.ofSeconds(30))
 *         .open(Deduplicator.builder(Keys.utf8(Order::id)).expectedKeys(1_000_000).concurrent());
 * Runtime.getRuntime().addShutdownHook(new Thread(orders::close));
 * boolean fresh = orders.deduplicator().admit(order);
 * }</pre>
 *
 * <p>After a crash the state is that of the last save: records admitted since then are new again.
 * Safe for use by many threads.
 *
 * @param <T> the type of the records
 */
public final class SavedDeduplicator<T> implements AutoCloseable {
  /**
   * An attempt to save.
   *
   * @param time when it ended
   * @param took how long it took
   * @param failure why it failed; empty: the state is on the disk
   */
  public record Save(Instant time, Duration took, Optional<Exception> failure) {}

  /** How to open a state file, and when to save. */
  public static final class Options {
    private final Path file;
    private Duration lockTimeout = Duration.ZERO;
    private Duration saveEvery = Duration.ofMinutes(1);
    private boolean setAside;
    private InstantSource clock = InstantSource.system();
    private @Nullable ScheduledExecutorService scheduler; // null: a thread of its own

    private Options(Path file) {
      this.file = file;
    }

    /**
     * Sets how long to wait for another process that has the file open, such as the one before this
     * one in a rolling update. By default opening fails at once.
     */
    public Options lockTimeout(Duration timeout) {
      lockTimeout = notNegative("lockTimeout", timeout);
      return this;
    }

    /**
     * Sets the time between two saves; zero: only when asked to, and on close. Default: a minute.
     * Nothing is written if there was no record since the last save.
     */
    public Options saveEvery(Duration time) {
      saveEvery = notNegative("saveEvery", time);
      return this;
    }

    /**
     * Renames a damaged file, logs a warning and starts empty. By default opening fails with a
     * {@link SnapshotException}.
     */
    public Options setDamagedAside() {
      setAside = true;
      return this;
    }

    /** Sets the clock that returns the times of saves. */
    public Options clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock is null");
      return this;
    }

    /** Sets what runs the saves. By default it is a daemon thread, which ends on close. */
    public Options scheduler(ScheduledExecutorService scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler is null");
      return this;
    }

    private static Duration notNegative(String name, Duration time) {
      Objects.requireNonNull(time, () -> name + " is null; Duration.ZERO is none");
      if (time.isNegative()) {
        throw new IllegalArgumentException("%s (%s) must not be negative".formatted(name, time));
      }
      return time;
    }

    /**
     * Locks the file and continues from its state, or starts empty if there is no file.
     *
     * @param builder its options must be those of the state. It must be concurrent, unless {@link
     *     #saveEvery} is zero
     * @throws SnapshotException.InUse if another process has locked the file
     * @throws SnapshotException if the file is damaged, or is not a state
     * @throws dev.unseen.error.DifferentOptionsException if an option differs from that of the
     *     state
     */
    public <T> SavedDeduplicator<T> open(DeduplicatorBuilder<T> builder) throws IOException {
      Objects.requireNonNull(builder, "builder is null");
      return open(state -> state.isPresent() ? builder.restore(state.get()) : builder.build());
    }

    /**
     * Locks the file and continues from its state, or starts empty if there is no file.
     *
     * @param start returns the deduplicator that continues from a state, or an empty one if there
     *     is none
     */
    public <T> SavedDeduplicator<T> open(Function<Optional<Snapshot>, Deduplicator<T>> start)
        throws IOException {
      StateFile locked = StateFile.open(file, lockTimeout);
      try {
        SavedDeduplicator<T> saved = new SavedDeduplicator<>(this, locked, start);
        saved.schedule(this);
        return saved;
      } catch (IOException | RuntimeException | Error e) {
        locked.close();
        throw e;
      }
    }

    /** Returns the saved state; empty if there is none, or it was damaged and set aside. */
    private Optional<Snapshot> load(StateFile from) throws IOException {
      try {
        return from.load();
      } catch (SnapshotException e) {
        if (!setAside) {
          throw e;
        }
        Path damaged = from.path();
        Path aside = damaged.resolveSibling(damaged.getFileName() + ".damaged-" + clock.millis());
        Files.move(damaged, aside);
        LOG.log(
            System.Logger.Level.WARNING,
            "the state is damaged and was set aside as %s; the deduplicator starts empty, and admits every record once more: %s"
                .formatted(aside, e.getMessage()));
        return Optional.empty();
      }
    }
  }

  private static final System.Logger LOG = System.getLogger("dev.unseen");

  private final StateFile file;
  private final Deduplicator<T> deduplicator;
  private final InstantSource clock;
  private final List<Consumer<? super Save>> listeners = new CopyOnWriteArrayList<>();
  private Gate.Version saved; // what the file contains
  private Runnable stop = () -> {}; // ends the schedule
  private boolean closed;
  private volatile @Nullable Save lastSave; // null: none yet
  private volatile @Nullable Save lastAttempt;
  private final AtomicLong failures = new AtomicLong();

  private SavedDeduplicator(
      Options options, StateFile file, Function<Optional<Snapshot>, Deduplicator<T>> start)
      throws IOException {
    this.file = file;
    this.clock = options.clock;
    Optional<Snapshot> before = options.load(file);
    this.deduplicator = Objects.requireNonNull(start.apply(before), "no deduplicator was built");
    if (!options.saveEvery.isZero() && deduplicator.shards().isEmpty()) {
      throw new IllegalArgumentException(
          "saveEvery (%s) needs a deduplicator for several threads; build it with concurrent(), or set saveEvery(Duration.ZERO) and call save"
              .formatted(options.saveEvery));
    }
    this.saved = deduplicator.gate().version();
    if (before.isEmpty()) {
      write(); // so that a file that cannot be written is reported on startup
    }
  }

  /** Starts to describe how to open a state file. The file need not exist, but its directory. */
  public static Options at(Path file) {
    return new Options(Objects.requireNonNull(file, "file is null"));
  }

  private void schedule(Options options) {
    if (options.saveEvery.isZero()) {
      return;
    }
    long nanos = options.saveEvery.toNanos();
    @Nullable ScheduledExecutorService given = options.scheduler;
    ScheduledExecutorService runs = given == null ? ownThread() : given;
    var task = runs.scheduleWithFixedDelay(this::saveOrLog, nanos, nanos, TimeUnit.NANOSECONDS);
    stop = given == null ? runs::shutdown : () -> task.cancel(false);
  }

  private static ScheduledExecutorService ownThread() {
    return new ScheduledThreadPoolExecutor(
        1,
        work -> {
          Thread thread = new Thread(work, "unseen-save");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Returns the deduplicator. */
  public Deduplicator<T> deduplicator() {
    return deduplicator;
  }

  /** Returns the path of the file. */
  public Path file() {
    return file.path();
  }

  /** Returns the last save that has succeeded, if there was one since the file was opened. */
  public Optional<Save> lastSave() {
    return Optional.ofNullable(lastSave);
  }

  /** Returns why the last attempt to save failed; empty if it did not. */
  public Optional<Exception> lastFailure() {
    @Nullable Save last = lastAttempt;
    return last == null ? Optional.empty() : last.failure();
  }

  /** Returns how many attempts to save have failed. */
  public long failures() {
    return failures.get();
  }

  /** Adds an action that is called after each attempt to save, by the thread that saves. */
  public void onSave(Consumer<? super Save> action) {
    listeners.add(Objects.requireNonNull(action, "action is null"));
  }

  /**
   * Saves the state now, unless nothing has changed since the last save.
   *
   * @return whether the state was written
   * @throws IllegalStateException if this is closed
   */
  public synchronized boolean save() throws IOException {
    if (closed) {
      throw new IllegalStateException("%s is closed; open it again".formatted(file.path()));
    }
    if (lastFailure().isEmpty() && deduplicator.gate().version().equals(saved)) {
      return false;
    }
    write();
    return true;
  }

  private void write() throws IOException {
    long begin = System.nanoTime();
    Gate.Version version = deduplicator.gate().version(); // what comes meanwhile: the next save
    try {
      file.save(deduplicator.snapshot(deduplicator.metadata()));
      saved = version;
      ended(begin, Optional.empty());
    } catch (IOException | RuntimeException e) {
      failures.incrementAndGet();
      ended(begin, Optional.of(e));
      throw e;
    }
  }

  private void ended(long begin, Optional<Exception> failure) {
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    Save attempt = new Save(clock.instant(), took, failure);
    lastAttempt = attempt;
    if (failure.isEmpty()) {
      lastSave = attempt;
    }
    listeners.forEach(listener -> listener.accept(attempt));
  }

  /** Saves by schedule. A failure is logged, and the next time it is tried again. */
  private synchronized void saveOrLog() {
    if (closed) {
      return;
    }
    try {
      save();
    } catch (IOException | RuntimeException | Error e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "%s cannot be saved; a restart would forget what came since %s"
              .formatted(
                  file.path(),
                  lastSave().map(last -> last.time().toString()).orElse("it was opened")),
          e);
    }
  }

  /**
   * Saves the state if it has changed, and releases the file. Records that are admitted afterwards
   * are not saved. A second call does nothing.
   *
   * @throws UncheckedIOException if the state cannot be saved; the file is released anyway
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    stop.run();
    try (file) {
      save();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s cannot be saved; what came since the last save is lost".formatted(file.path()), e);
    } finally {
      closed = true;
    }
  }

  @Override
  public String toString() {
    return "SavedDeduplicator[%s, %s]".formatted(file.path(), deduplicator);
  }
}
