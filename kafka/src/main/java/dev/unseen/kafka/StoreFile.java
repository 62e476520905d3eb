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

/**
 * The state of a partition in a file, with the offset of the changelog that it reaches to. A state
 * is saved only if nothing was logged after that offset.
 */
final class StoreFile {
  private static final System.Logger LOG = System.getLogger("dev.unseen");
  private static final String OFFSET = "kafka.offset";

  private final Path path;
  private final long everyNanos;
  private Long offset; // of the file; null: none
  private Long committed; // which the gate reaches to; null: not known, or changed since
  private long savedAt = System.nanoTime();

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

  /** Records the offset that the gate reaches to, and saves the gate if a save is due. */
  void committed(Collection<Long> offsets, Gate gate) {
    Long reached = offsets.size() == 1 ? offsets.iterator().next() : null;
    if (reached == null || reached < 0) { // Kafka Streams has negative numbers for unknown
      return;
    }
    committed = reached;
    if (System.nanoTime() - savedAt >= everyNanos) {
      save(gate);
    }
  }

  /** Saves the gate, unless it has changed since the last commit. */
  void close(Gate gate) {
    if (committed != null) {
      save(gate);
    }
  }

  private void save(Gate gate) {
    if (committed.equals(offset)) {
      return;
    }
    try {
      gate.save(path, Map.of(OFFSET, committed.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    offset = committed;
    savedAt = System.nanoTime();
  }
}
