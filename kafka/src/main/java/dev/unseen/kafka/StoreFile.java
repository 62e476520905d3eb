package dev.unseen.kafka;

import dev.unseen.Gate;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * The state of a partition in a file, with the offset of the changelog that it reaches to. A state
 * is saved only if nothing was logged after that offset.
 *
 * <p>While the stream runs, a copy of the state is written by another thread. In a process, there
 * is one copy at a time.
 */
final class StoreFile {
  private static final System.Logger LOG = System.getLogger("dev.unseen");
  private static final String OFFSET = "kafka.offset";
  private static final Semaphore COPIES = new Semaphore(1);

  private final Path path;
  private final long everyNanos;
  private volatile Long offset; // of the file; null: none
  private Long committed; // which the gate reaches to; null: not known, or changed since
  private long savedAt = System.nanoTime();
  private CompletableFuture<Void> writing = CompletableFuture.completedFuture(null); // of a copy

  StoreFile(Path directory, String store, Duration every) {
    this.path = directory.resolve(store + ".uns");
    this.everyNanos = every.toNanos();
  }

  /** Loads the state, if there is one that can be read. */
  Optional<Snapshot> load() {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      Snapshot state = StateFile.read(path);
      offset = Long.valueOf(state.metadata().getOrDefault(OFFSET, ""));
      return Optional.of(state);
    } catch (IOException | NumberFormatException e) {
      LOG.log(
          Level.WARNING,
          "{0} cannot be used ({1}); the changelog is read from its beginning",
          path,
          e.getMessage());
      return Optional.empty();
    }
  }

  Long offset() {
    return offset;
  }

  /** Records that the gate has changed since the last commit. */
  void changed() {
    committed = null;
  }

  /**
   * Records the offset that the gate reaches to, and starts to save the gate if a save is due. No
   * offset at all means that the file is of no use: it is deleted.
   */
  void committed(Collection<Long> offsets, Gate gate) {
    if (offsets.isEmpty()) {
      delete();
      return;
    }
    Long reached = offsets.size() == 1 ? offsets.iterator().next() : null;
    if (reached == null || reached < 0) { // Kafka Streams has negative numbers for unknown
      return;
    }
    committed = reached;
    if (System.nanoTime() - savedAt >= everyNanos
        && !reached.equals(offset)
        && COPIES.tryAcquire()) {
      writing = CompletableFuture.runAsync(writing(gate, reached), StoreFile::start);
      savedAt = System.nanoTime();
    }
  }

  private static void start(Runnable task) {
    Thread writer = new Thread(task, "unseen-snapshot");
    writer.setDaemon(true); // a file that is not complete is not used
    writer.start();
  }

  /** Returns what writes a copy of the gate as it is now. */
  private Runnable writing(Gate gate, Long reached) {
    Snapshot copy;
    try {
      copy = gate.copyState(null);
    } catch (RuntimeException | Error e) {
      COPIES.release();
      throw e;
    }
    return () -> {
      try {
        save(copy, reached);
      } catch (IOException e) {
        LOG.log(
            Level.WARNING,
            "{0} cannot be saved ({1}); a restart will read more of the changelog",
            path,
            e.toString());
      } finally {
        COPIES.release();
      }
    };
  }

  private void save(Snapshot state, Long reached) throws IOException {
    try (StateFile file = StateFile.open(path)) {
      file.save(state.with(Map.of(OFFSET, reached.toString())));
    }
    offset = reached;
  }

  private void delete() {
    writing.join();
    committed = null;
    offset = null;
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Saves the gate, unless it has changed since the last commit, or is saved already. */
  void close(Gate gate) {
    writing.join();
    if (committed != null && !committed.equals(offset)) {
      try {
        save(gate.snapshot(Map.of()), committed);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
