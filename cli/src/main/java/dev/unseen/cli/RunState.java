package dev.unseen.cli;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.filter.ShardNumbers;
import dev.unseen.io.FileTrouble;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import dev.unseen.text.Parse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run starts from and leaves behind: its gate, and the file that keeps it for the next run.
 *
 * <p>A state says that records were let through, so it is saved only when they are out: now and
 * then while they go to stdout, and with an output file once that is in its place. A run that fails
 * leaves the state before it; the next one may then let some records through again, but loses none.
 */
final class RunState implements AutoCloseable {
  private final Gate gate;
  private final StateFile file; // null: nothing is kept
  private final boolean savesOnTheWay; // not while records wait for the end of the run
  private final long saveEvery; // nanoseconds
  private long savedAt = System.nanoTime();

  private RunState(DedupOptions options, Gate gate, StateFile file) {
    this.gate = gate;
    this.file = file;
    this.savesOnTheWay = file != null && options.output() == null;
    this.saveEvery = saveEvery(options);
  }

  /** Loads the state that the options name, or starts an empty one. */
  static RunState begin(DedupOptions options, Warnings warnings) throws Failure {
    String path = options.get("--state", null);
    StateFile file = null;
    try {
      Optional<UserSecret> user = userSecret(options, path);
      GateBuilder empty = FilterChoice.complete(options, user); // refuses before a file is touched
      saveEvery(options);
      file = path == null ? null : StateFile.open(Path.of(path));
      Optional<Snapshot> before = file == null ? Optional.empty() : file.load();
      Gate gate =
          before.isPresent()
              ? restore(options, before.get(), path, warnings)
              : empty.onAlarm(warnings).build();
      if (file != null) {
        user.flatMap(UserSecret::trouble).ifPresent(warnings::tell);
      }
      return new RunState(options, gate, file);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage(), closed(file, e));
    } catch (SnapshotException e) {
      throw Failure.state(e.getMessage(), closed(file, e));
    } catch (IOException e) {
      throw Failure.inputOrOutput(
          "cannot use the state " + FileTrouble.describe(e), closed(file, e));
    } catch (Failure e) {
      closed(file, e);
      throw e;
    }
  }

  /** Finds the user's secret, unless the state or the options have one. */
  private static Optional<UserSecret> userSecret(DedupOptions options, String state)
      throws Failure {
    boolean other =
        options.has("--seed")
            || options.has("--secret-file")
            || (state != null && Files.exists(Path.of(state)));
    return other ? Optional.empty() : Optional.of(UserSecret.find(System.getenv()));
  }

  /** Refuses to go on with a state that was made for something else. */
  private static Gate restore(DedupOptions options, Snapshot before, String path, Warnings warnings)
      throws Failure {
    if (before.shards() > 1 && before.heldShards().size() < before.shards()) {
      throw Failure.state(
          "%s: the state holds the shards %s of %d, and a run needs all of them; merge it with the others first"
              .formatted(path, ShardNumbers.text(before.heldShards()), before.shards()),
          null);
    }
    try {
      return FilterChoice.given(options).onAlarm(warnings).restore(before);
    } catch (IllegalArgumentException e) {
      throw Failure.state("%s: %s".formatted(path, e.getMessage()), e);
    }
  }

  private static <E extends Exception> E closed(StateFile file, E cause) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    return cause;
  }

  private static long saveEvery(DedupOptions options) {
    return Parse.duration("save-every", options.get("--save-every", "60s")).toNanos();
  }

  Gate gate() {
    return gate;
  }

  /** Returns whether it is time to save, while records go out. */
  boolean isDue() {
    return savesOnTheWay && System.nanoTime() - savedAt >= saveEvery;
  }

  /** Keeps what was seen so far, all of which is out. */
  void save() throws Failure {
    if (file == null) {
      return;
    }
    try {
      file.save(gate.snapshot(gate.metadata()));
    } catch (IOException e) {
      throw Failure.inputOrOutput(
          "cannot save the state %s; the one before it is untouched"
              .formatted(FileTrouble.describe(e)),
          e);
    }
    savedAt = System.nanoTime();
  }

  /** Releases the file. */
  @Override
  public void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // What was saved is on the disk.
    }
  }
}
