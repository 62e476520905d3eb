package dev.unseen.spring;

import dev.unseen.Deduplicator;
import dev.unseen.DeduplicatorBuilder;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import dev.unseen.spring.DeduplicatorProperties.OnDamage;
import dev.unseen.spring.DeduplicatorProperties.StateProperties;
import dev.unseen.spring.StateRejectedException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The state file of one deduplicator, which is locked as long as the application runs. A save does
 * not stop requests: a shard is held only while it is copied.
 */
final class SavedState {
  private static final Log LOG = LogFactory.getLog(SavedState.class);

  private final String name;
  private final String prefix;
  private final StateProperties properties;
  private final StateFile file;
  private Deduplicator<?> deduplicator;
  private long savedRecords = -1; // so that the first save is not left out
  private boolean closed;
  private volatile Instant lastSave; // null: none yet
  private volatile String lastFailure; // null: the last save went well
  private volatile Consumer<Duration> onSave = took -> {};

  private SavedState(String name, String prefix, StateProperties properties, StateFile file) {
    this.name = name;
    this.prefix = prefix;
    this.properties = properties;
    this.file = file;
  }

  /**
   * Locks the state file.
   *
   * @throws StateRejectedException if that cannot be done
   */
  static SavedState open(String name, String prefix, StateProperties properties) {
    Path path = properties.path();
    Path directory = path.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      throw new StateRejectedException(
          Reason.NOT_USABLE,
          name,
          prefix,
          path,
          "the directory %s does not exist; create it".formatted(directory),
          null);
    }
    try {
      return new SavedState(
          name, prefix, properties, StateFile.open(path, properties.getLockTimeout()));
    } catch (IOException e) {
      throw new StateRejectedException(Reason.NOT_USABLE, name, prefix, path, text(e), e);
    }
  }

  private static String text(IOException e) {
    return e instanceof SnapshotException ? e.getMessage() : e.toString();
  }

  /**
   * Loads the state, or starts empty and saves at once, so that a file that cannot be written is
   * reported on startup.
   */
  <T> Deduplicator<T> start(NamedOptions<T> options, Consumer<DeduplicatorBuilder<T>> more) {
    Optional<Snapshot> before = load();
    DeduplicatorBuilder<T> builder = before.isPresent() ? options.forState() : options.forEmpty();
    more.accept(builder);
    Deduplicator<T> started =
        before.isPresent() ? restore(options, builder, before.get()) : builder.build();
    deduplicator = started;
    if (before.isPresent()) {
      savedRecords = started.records();
    } else {
      try {
        write();
      } catch (IOException e) {
        throw rejected(Reason.NOT_USABLE, "it cannot be saved: " + text(e), e);
      }
    }
    return started;
  }

  private <T> Deduplicator<T> restore(
      NamedOptions<T> options, DeduplicatorBuilder<T> builder, Snapshot state) {
    try {
      return builder.restore(state);
    } catch (DifferentOptionsException e) {
      throw rejected(Reason.DIFFERENT_OPTIONS, e.describe(options::name), e);
    } catch (IllegalArgumentException e) {
      throw rejected(Reason.DIFFERENT_OPTIONS, e.getMessage(), e);
    }
  }

  private Optional<Snapshot> load() {
    try {
      return file.load();
    } catch (SnapshotException e) {
      if (properties.getOnDamage() == OnDamage.REJECT) {
        throw rejected(Reason.DAMAGED, e.getMessage(), e);
      }
      setAside(e);
      return Optional.empty();
    } catch (IOException e) {
      throw rejected(Reason.NOT_USABLE, text(e), e);
    }
  }

  private void setAside(SnapshotException damage) {
    Path from = file.path();
    Path to = from.resolveSibling(from.getFileName() + ".damaged-" + Instant.now().toEpochMilli());
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw rejected(Reason.NOT_USABLE, "it is damaged and cannot be renamed: " + text(e), e);
    }
    LOG.warn(
        "The state of the deduplicator '%s' is damaged and was set aside as %s; it starts empty, and accepts everything once more: %s"
            .formatted(name, to, damage.getMessage()));
  }

  private StateRejectedException rejected(Reason reason, String message, Exception cause) {
    close();
    return new StateRejectedException(reason, name, prefix, file.path(), message, cause);
  }

  /** Saves, if there was a record since the last save. A failure is logged and remembered. */
  synchronized void save() {
    if (closed || (lastFailure == null && deduplicator.records() == savedRecords)) {
      return;
    }
    try {
      write();
    } catch (IOException | RuntimeException e) {
      lastFailure = e.toString();
      LOG.error(
          "The state of the deduplicator '%s' cannot be saved in %s. A restart would forget what came since %s."
              .formatted(name, file.path(), lastSave == null ? "the start" : lastSave),
          e);
    }
  }

  private synchronized void write() throws IOException {
    long began = System.nanoTime();
    long records = deduplicator.records(); // what comes meanwhile is for the next save
    file.save(deduplicator.snapshot(deduplicator.metadata()));
    savedRecords = records;
    lastSave = Instant.now();
    lastFailure = null;
    onSave.accept(Duration.ofNanos(System.nanoTime() - began));
  }

  /** Releases the file. */
  synchronized void close() {
    closed = true;
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("The lock on %s cannot be released".formatted(file.path()), e);
    }
  }

  /** Adds an action that receives the duration of each save. */
  void onSave(Consumer<Duration> action) {
    onSave = onSave.andThen(action);
  }

  Duration saveEvery() {
    return properties.getSaveEvery();
  }

  /** Returns the file. */
  Path file() {
    return file.path();
  }

  /** Returns the time of the last save of this process, if there was one. */
  Optional<Instant> lastSave() {
    return Optional.ofNullable(lastSave);
  }

  /** Returns why the last save failed, if it did. */
  Optional<String> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }
}
