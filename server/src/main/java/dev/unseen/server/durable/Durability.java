package dev.unseen.server.durable;

import dev.unseen.files.DurableFile;
import dev.unseen.hash.Secret;
import dev.unseen.server.store.FormerSecret;
import dev.unseen.server.store.Journal;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.snapshot.StateFile;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps the filters in a directory: loads them, logs their changes in a journal, and saves them.
 *
 * <pre>
 * save:   begin a new segment of the journal, and append all filters to it
 *         save each filter that has changed, shard by shard, while it is used
 *         delete the files of deleted filters
 *         append to the journal which files and segments are needed from now on
 *         delete the segments before the new one
 * start:  see {@link Recovery}
 * </pre>
 *
 * <p>An item is in its filter before it is in the journal, so a segment that ends before a save
 * contains nothing that the save does not.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the tasks log their failures
public final class Durability implements Closeable {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");
  private static final long RETRY_NANOS = 10_000_000_000L; // after a save that failed

  private final DataDirectory directory;
  private final Fsync fsync;
  private final Duration saveEvery;
  private final long maxJournalBytes;
  private final AppendLog.Channels channels;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("unseen-journal", true));
  private final ScheduledExecutorService saver =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("unseen-saver", true));
  private final Set<String> files = new HashSet<>(); // of our filters
  private Keyspace keyspace;
  private Recovery recovery;
  private AppendLog log;
  private volatile Saves saves = new Saves(0, 0, 0, System.currentTimeMillis());
  private volatile long savedAt = System.nanoTime();
  private volatile long attemptedAt;
  private volatile boolean saving;
  private volatile String saveFailure = "";
  private boolean closed;

  /**
   * The successful saves.
   *
   * @param count their number
   * @param nanos how long all took
   * @param lastNanos how long the last one took
   * @param lastMillis when it ended, in milliseconds since 1970; before the first, the startup
   */
  public record Saves(long count, long nanos, long lastNanos, long lastMillis) {}

  /**
   * What was written to the journal since the startup.
   *
   * @param bytes in all segments
   * @param segmentBytes in the present segment, which may have begun before
   * @param forces how often the journal was forced to the disk
   * @param forceNanos how long that took in all
   */
  public record Writes(long bytes, long segmentBytes, long forces, long forceNanos) {}

  private Durability(
      DataDirectory directory,
      Fsync fsync,
      Duration saveEvery,
      long maxJournalBytes,
      AppendLog.Channels channels) {
    this.channels = channels;
    this.directory = directory;
    this.fsync = fsync;
    this.saveEvery = saveEvery;
    this.maxJournalBytes = maxJournalBytes;
  }

  /** Locks a directory for this process. */
  public static Durability open(Path path, Fsync fsync, Duration saveEvery, long maxJournalBytes)
      throws IOException {
    return open(path, fsync, saveEvery, maxJournalBytes, DurableFile::create);
  }

  static Durability open(
      Path path, Fsync fsync, Duration saveEvery, long maxJournalBytes, AppendLog.Channels channels)
      throws IOException {
    return new Durability(DataDirectory.open(path), fsync, saveEvery, maxJournalBytes, channels);
  }

  /**
   * Returns the secret of the directory. If it has none, that is the secret that the operator wants
   * or a random one, which is kept as soon as something is loaded.
   */
  public Secret secret(Optional<Secret> wanted) throws IOException {
    Optional<Secret> kept = directory.secret();
    return kept.isPresent() ? kept.get() : wanted.orElseGet(Secret::random);
  }

  /** Loads a directory from which nothing is missing, with the secret that it has. */
  public List<String> load(Keyspace into) throws IOException {
    return load(into, Optional.empty(), false, progress -> {});
  }

  /**
   * Loads all filters, replays the journal, and records everything from then on. Returns messages
   * about it for a person, one per line.
   *
   * @param wanted the secret to hash items with from now on; empty for that of the directory
   * @param acceptDataLoss whether to continue if files are missing
   * @param progress receives what is being loaded
   * @throws IOException if files are missing that the others refer to, or the secret
   */
  public List<String> load(
      Keyspace into, Optional<Secret> wanted, boolean acceptDataLoss, Consumer<String> progress)
      throws IOException {
    keyspace = into;
    into.formerSecrets(
        directory.formerSecrets().stream()
            .filter(one -> !one.secret().equals(into.secret()))
            .toList());
    Recovery found = Recovery.run(directory, into, acceptDataLoss, progress);
    recovery = found;
    files.addAll(found.files);
    List<String> messages = new ArrayList<>(found.messages);
    messages.add(
        0,
        "loaded %d filters from %s and replayed %d items of the journal"
            .formatted(files.size(), directory.path(), found.items));
    List<Long> segments = directory.segments();
    long next = segments.isEmpty() ? 1 : segments.get(segments.size() - 1) + 1;
    long first = segments.isEmpty() ? next : found.firstSegment();
    SegmentHeader header = new SegmentHeader(next, first, into.secret().fingerprint());
    log = new AppendLog(directory.path(), header, fsync, channels);
    if (!segments.isEmpty()) {
      directory.linkSegments(next - 1, next);
    }
    if (directory.secret().isEmpty()) {
      directory.writeSecret(into.secret());
    }
    into.journal(log);
    keyspace.writeAll(log);
    keyspace.setKeys().resize();
    log.checkpoint(first, saved());
    log.commitOrFail();
    if (found.needsSave()) {
      save();
    }
    if (wanted.isPresent() && !wanted.get().equals(into.secret())) {
      progress.accept("changing the secret");
      messages.addAll(changeSecret(wanted.get()));
    }
    timer.scheduleWithFixedDelay(this::tick, 1, 1, TimeUnit.SECONDS);
    if (found.items > 0 || segments.size() > 1) {
      requestSave();
    }
    return messages;
  }

  /**
   * Hashes all items with another secret from now on. If it is interrupted after the new secret is
   * in the directory, {@link Recovery} completes it; before, nothing has changed.
   */
  private List<String> changeSecret(Secret to) throws IOException {
    List<String> messages = new ArrayList<>();
    messages.add(
        "the secret has changed (fingerprint %s instead of %s); the former one is consulted until its items have expired, or as many new ones were added"
            .formatted(to.fingerprint(), keyspace.secret().fingerprint()));
    messages.addAll(keyspace.changeSecret(to));
    directory.writeFormerSecrets(keyspace.formerSecrets());
    directory.writeSecret(to);
    log.useSecret(to);
    save();
    return messages;
  }

  /**
   * Forgets former secrets that no deleted key is hashed with. All filters have been saved, so no
   * file and no segment needs them.
   */
  private void dropFormerSecrets() throws IOException {
    List<FormerSecret> former = keyspace.formerSecrets();
    List<FormerSecret> needed = former.stream().filter(one -> !isEnded(one)).toList();
    if (needed.size() < former.size()) {
      directory.writeFormerSecrets(needed);
      keyspace.formerSecrets(needed);
    }
  }

  private boolean isEnded(FormerSecret secret) {
    return secret.listedUntil() <= keyspace.now();
  }

  /** Returns the filters that have files. */
  private List<ServedFilter> saved() {
    return keyspace.all().stream().filter(filter -> files.contains(fileOf(filter))).toList();
  }

  private void tick() {
    try {
      log.tick();
    } catch (RuntimeException e) { // the save below may fix it
      LOG.log(System.Logger.Level.ERROR, "the journal cannot be written: " + e.getMessage());
    }
    try {
      if (!saving && isSaveDue()) {
        requestSave();
      }
    } catch (RuntimeException e) { // otherwise the task would not run again
      LOG.log(System.Logger.Level.ERROR, "the task that runs every second failed", e);
    }
  }

  /** Measures elapsed time, because the clock of the machine may be set back. */
  private boolean isSaveDue() {
    long now = System.nanoTime();
    if (!saveFailure.isEmpty()) {
      return now - attemptedAt >= RETRY_NANOS;
    }
    boolean due = now - savedAt >= saveEvery.toNanos();
    return log.isDistrusted()
        || keyspace.formerSecrets().stream().anyMatch(this::isEnded)
        || log.segmentBytes() > maxJournalBytes
        || (due && keyspace.all().stream().anyMatch(ServedFilter::isChanged));
  }

  /** Saves all filters soon, while they are used. Returns false if a save is running. */
  public boolean requestSave() {
    if (saving) {
      return false;
    }
    saving = true;
    saver.execute(
        () -> {
          try {
            save();
          } catch (IOException | RuntimeException | OutOfMemoryError e) {
            LOG.log(System.Logger.Level.ERROR, "cannot save: " + e.getMessage());
          }
        });
    return true;
  }

  /** Saves all filters that have changed, while they are used. */
  public synchronized void save() throws IOException {
    if (closed) {
      return;
    }
    saving = true;
    long begin = System.nanoTime();
    attemptedAt = begin;
    try {
      long segment = log.rotate();
      keyspace.writeAll(log); // so that the segments before this one can be deleted
      log.forceAll(); // the segments before it will be deleted
      Set<String> live = new HashSet<>();
      for (ServedFilter filter : keyspace.all()) {
        String file = fileOf(filter);
        live.add(file);
        if (filter.isChanged() || !files.contains(file)) {
          save(filter, file, segment);
        }
      }
      dropFiles(live);
      log.checkpoint(segment, saved());
      log.forceAll(); // from here on, the segments before it are not needed
      for (long number : directory.segments()) {
        if (number < segment) {
          directory.deleteSegment(number);
        }
      }
      savedAt = System.nanoTime();
      long nanos = savedAt - begin;
      dropFormerSecrets();
      saves = new Saves(saves.count + 1, saves.nanos + nanos, nanos, System.currentTimeMillis());
      saveFailure = "";
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      saveFailure = String.valueOf(e.getMessage());
      throw e;
    } finally {
      saving = false;
    }
  }

  /**
   * Saves all filters and copies the directory, while they are used. The copy holds all that was
   * acknowledged before. No other save runs meanwhile, so the saved filters stay as they are, and
   * no segment of the journal that they need is deleted.
   *
   * @param target a directory that does not exist yet
   */
  public synchronized void backUp(Path target) throws IOException {
    save();
    log.forceAll();
    directory.copyTo(target);
  }

  private static String fileOf(ServedFilter filter) {
    return DataDirectory.fileOf(filter.name(), filter.definition());
  }

  private void save(ServedFilter filter, String file, long segment) throws IOException {
    filter.saved();
    try (StateFile state = StateFile.open(directory.file(file))) {
      state.save(
          filter.snapshot(
              Map.of(
                  Recovery.SECRET_TEXT,
                  keyspace.secret().fingerprint(),
                  Recovery.JOURNAL_TEXT,
                  Long.toString(segment))));
      files.add(file);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      filter.touch(); // otherwise the next save would skip it, and delete its journal
      throw e;
    }
  }

  private void dropFiles(Set<String> live) throws IOException {
    Set<String> gone = new HashSet<>(files);
    gone.removeAll(live);
    for (String file : gone) {
      directory.deleteState(file);
      files.remove(file);
    }
  }

  /** Returns why the journal cannot be written at present; empty if it can. */
  public String failure() {
    return log.failure();
  }

  /** Returns why the last save failed; empty if it did not. */
  public String saveFailure() {
    return saveFailure;
  }

  public Saves saves() {
    return saves;
  }

  public Writes writes() {
    return log.writes();
  }

  public boolean isSaving() {
    return saving;
  }

  /** Returns the number of files that were damaged or missing when the directory was loaded. */
  public int damagedFiles() {
    return recovery.damagedFiles;
  }

  /** Returns the bytes of the journal that were damaged when the directory was loaded. */
  public long damagedBytes() {
    return recovery.damagedBytes;
  }

  public Journal journal() {
    return log;
  }

  /**
   * Closes the directory.
   *
   * @param withSave whether to save all filters before
   */
  public void close(boolean withSave) throws IOException {
    timer.shutdown(); // not shutdownNow: an interrupt during a force would close the journal
    saver.shutdown();
    try {
      if (withSave) {
        save();
      }
    } finally {
      synchronized (this) {
        closed = true;
        if (log != null) {
          log.close();
        }
        directory.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    close(true);
  }
}
