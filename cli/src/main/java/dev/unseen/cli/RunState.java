package dev.unseen.cli;

import dev.unseen.audit.Audit;
import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.io.FileTrouble;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import dev.unseen.text.Parse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a run starts from and leaves behind: its filter, what measures that, and the file that keeps
 * both for the next run.
 *
 * <p>A state says that records were let through, so it is saved only when they are out: now and
 * then while they go to stdout, and with an output file once that is in its place. A run that fails
 * leaves the state before it; the next one may then let some records through again, but loses none.
 */
final class RunState implements AutoCloseable {
  private static final String KEY = "key"; // of the metadata
  private static final String[] FILTER_OPTIONS = {
    "--memory",
    "--kind",
    "--hashes",
    "--hash",
    "--seed",
    "--max-fpr",
    "--share",
    "--window",
    "--refresh",
    "--no-refresh"
  };

  private final DedupOptions options;
  private final StateFile file; // null: nothing is kept
  private final DuplicateFilter filter;
  private final Optional<Audit> audit;
  private final long recordsBefore;
  private final long admittedBefore;
  private final long saveEvery; // nanoseconds
  private long savedAt = System.nanoTime();

  private RunState(DedupOptions options, StateFile file, Optional<Snapshot> before) throws Failure {
    this.options = options;
    this.file = file;
    this.filter = before.isPresent() ? before.get().filter() : FilterChoice.of(options).build();
    this.audit = auditOf(before);
    this.recordsBefore = before.map(Snapshot::records).orElse(0L);
    this.admittedBefore = before.map(Snapshot::admitted).orElse(0L);
    this.saveEvery = saveEvery(options).toNanos();
  }

  /** The state that the options name, or an empty one. */
  static RunState begin(DedupOptions options) throws Failure {
    if (options.hasTime() && !FilterChoice.of(options).window().isTime()) {
      throw Failure.usage("--time needs a window of time, such as --window 24h", null);
    }
    String path = options.get("--state", null);
    StateFile file = null;
    try {
      if (path == null) {
        return new RunState(options, null, Optional.empty());
      }
      file = StateFile.open(Path.of(path));
      Optional<Snapshot> before = file.load();
      if (before.isPresent()) {
        check(options, before.get(), path);
      }
      return new RunState(options, file, before);
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

  /** Refuses to go on with a state that was made for something else. */
  private static void check(DedupOptions options, Snapshot before, String path) throws Failure {
    boolean asked = Stream.of(FILTER_OPTIONS).anyMatch(options::has);
    FilterSpec wanted = FilterChoice.of(options);
    if (asked && !wanted.equals(before.spec())) {
      throw Failure.state(
          "%s is of another filter, %s, and the options ask for %s; leave the options out, or name another --state"
              .formatted(path, before.spec().describe(), wanted.describe()),
          null);
    }
    String key = before.metadata().getOrDefault(KEY, options.keyInWords());
    if (!key.equals(options.keyInWords())) {
      throw Failure.state(
          "%s has seen records by %s, and this run goes by %s; name another --state"
              .formatted(path, key, options.keyInWords()),
          null);
    }
  }

  private Optional<Audit> auditOf(Optional<Snapshot> before) throws Failure {
    Optional<Audit> going = before.flatMap(Snapshot::audit);
    if (going.isPresent() || !options.has("--audit")) {
      return going;
    }
    if (before.isPresent()) {
      throw Failure.usage(
          "--audit has to see all records, and the state was made without it; name another --state",
          null);
    }
    return Optional.of(new Audit(AuditSpec.parse(options.get("--audit", "")), filter.spec()));
  }

  private static Duration saveEvery(DedupOptions options) {
    return Parse.duration("save-every", options.get("--save-every", "60s"));
  }

  DuplicateFilter filter() {
    return filter;
  }

  Optional<Audit> audit() {
    return audit;
  }

  /** Whether it is time to save, while records go out. */
  boolean isDue() {
    return file != null && options.output() == null && System.nanoTime() - savedAt >= saveEvery;
  }

  /** The state as it is now, of this run and those before it. */
  Snapshot snapshot(Counts counts) {
    Snapshot snapshot =
        Snapshot.of(filter, recordsBefore + counts.records(), admittedBefore + counts.fresh())
            .with(Map.of(KEY, options.keyInWords()));
    return audit.isPresent() ? snapshot.with(audit.get()) : snapshot;
  }

  /** Keeps what was seen so far, all of which is out. */
  void save(Counts counts) throws Failure {
    if (file == null) {
      return;
    }
    try {
      file.save(snapshot(counts));
    } catch (IOException e) {
      throw Failure.inputOrOutput(
          "cannot save the state %s; the one before it is untouched"
              .formatted(FileTrouble.describe(e)),
          e);
    }
    savedAt = System.nanoTime();
  }

  /** Gives the file free. */
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
