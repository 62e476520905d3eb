package dev.unseen.cli.dedup;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.commands.CliException;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.IoMessages;
import dev.unseen.filter.engine.ShardNumbers;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Holds the gate of a run, and the file that keeps it for the next run.
 *
 * <p>A state says that records were let through, so it is saved only when they are safe: see {@link
 * Checkpoints}.
 */
final class RunState implements AutoCloseable {
  private final Gate gate;
  private final StateFile file; // null: nothing is kept
  private final Disk disk;
  private final long saveEvery; // nanoseconds
  private long savedAt = System.nanoTime();
  private long savedRecords;

  private RunState(Gate gate, StateFile file, Disk disk, long saveEvery) {
    this.gate = gate;
    this.file = file;
    this.disk = disk;
    this.saveEvery = saveEvery;
    this.savedRecords = gate.records();
  }

  /** Loads the state that the options name, or creates an empty one. */
  static RunState begin(DedupOptions options, Disk disk, Warnings warnings) throws CliException {
    String path = options.state().path();
    StateFile file = null;
    try {
      Optional<UserSecret> user = userSecret(options.filter(), path);
      GateBuilder empty = options.filter().complete(user); // rejects before a file is touched
      file = path == null ? null : StateFile.open(Path.of(path));
      Optional<Snapshot> before = file == null ? Optional.empty() : file.load();
      Gate gate =
          before.isPresent()
              ? restore(options.filter(), before.get(), path, warnings)
              : empty.onAlarm(warnings).build();
      if (file != null) {
        user.flatMap(UserSecret::trouble).ifPresent(warnings::print);
      }
      return new RunState(gate, file, disk, options.state().saveNanos());
    } catch (CliException | IOException | IllegalArgumentException e) {
      close(file);
      throw e instanceof IOException io && !(e instanceof SnapshotException)
          ? CliException.inputOrOutput("cannot use the state " + IoMessages.describe(io), e)
          : CliException.of(e);
    }
  }

  /** Finds the user's secret, unless the state or the options have one. */
  private static Optional<UserSecret> userSecret(FilterChoice filter, String state)
      throws CliException {
    boolean other = filter.hasSecret() || (state != null && Files.exists(Path.of(state)));
    return other ? Optional.empty() : Optional.of(UserSecret.find(System.getenv()));
  }

  /** Rejects a state that was made with other options. */
  private static Gate restore(FilterChoice filter, Snapshot before, String path, Warnings warnings)
      throws CliException {
    if (before.shards() > 1 && before.heldShards().size() < before.shards()) {
      throw CliException.state(
          "%s: the state holds the shards %s of %d, and a run needs all of them; merge it with the others first"
              .formatted(path, ShardNumbers.text(before.heldShards()), before.shards()),
          null);
    }
    GateBuilder given = filter.given();
    try {
      return given.onAlarm(warnings).restore(before);
    } catch (IllegalArgumentException e) {
      throw CliException.state("%s: %s".formatted(path, GateArguments.message(e)), e);
    }
  }

  Gate gate() {
    return gate;
  }

  boolean isKept() {
    return file != null;
  }

  /** Returns how many records it has counted that no saved state counts. */
  long unsavedRecords() {
    return gate.records() - savedRecords;
  }

  /** Returns the time until the state should be saved; the longest time if there is no need. */
  long nanosUntilDue() {
    return file == null || unsavedRecords() == 0
        ? Long.MAX_VALUE
        : saveEvery - (System.nanoTime() - savedAt);
  }

  /** Saves what was seen so far, all of which is safe. */
  void save() throws CliException {
    if (file == null) {
      return;
    }
    try {
      disk.save(file, gate.snapshot(gate.metadata()));
    } catch (IOException e) {
      throw CliException.inputOrOutput(
          "cannot save the state '%s': %s; the state before it is untouched"
              .formatted(file.path(), reasonOf(e)),
          e);
    }
    savedAt = System.nanoTime();
    savedRecords = gate.records();
  }

  private static String reasonOf(IOException e) {
    return e instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : IoMessages.describe(e);
  }

  /** Releases the lock on the file. */
  @Override
  public void close() {
    close(file);
  }

  private static void close(StateFile file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // What was saved is on the disk.
    }
  }
}
