package dev.unseen.server.durable;

import dev.unseen.Gate;
import dev.unseen.hash.Secret;
import dev.unseen.server.Names;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Journal;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import dev.unseen.text.Print;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the filters in a directory: loads them, notes what happens to them, and saves them.
 *
 * <pre>
 * save:   begin a new segment of the journal, and note in it which filters there are
 *         save each filter that has changed, shard by shard, while it is used
 *         delete the files of filters that are gone, then the segments before the new one
 * start:  load each file; repeat all segments in order
 * </pre>
 *
 * <p>An item is in its filter before it is noted, so a segment that ends before a save contains
 * nothing that the save does not.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the tasks tell their failures themselves
public final class Durability implements Closeable {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");
  private static final long RETRY_NANOS = 10_000_000_000L; // after a save that failed

  private final DataDirectory directory;
  private final Fsync fsync;
  private final Duration saveEvery;
  private final long maxJournalBytes;
  private final AppendLog.Channels channels;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "unseen-journal"));
  private final ScheduledExecutorService saver =
      Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "unseen-saver"));
  private final Set<String> files = new HashSet<>(); // that belong to us
  private Keyspace keyspace;
  private AppendLog log;
  private volatile long lastSaveMillis = System.currentTimeMillis();
  private volatile long lastSaveNanos;
  private volatile long savedAt = System.nanoTime();
  private volatile long attemptedAt;
  private volatile boolean saving;
  private volatile String saveFailure = "";
  private boolean closed;

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

  /** Takes a directory for this process. */
  public static Durability open(Path path, Fsync fsync, Duration saveEvery, long maxJournalBytes)
      throws IOException {
    return open(path, fsync, saveEvery, maxJournalBytes, AppendLog::createFile);
  }

  static Durability open(
      Path path, Fsync fsync, Duration saveEvery, long maxJournalBytes, AppendLog.Channels channels)
      throws IOException {
    return new Durability(DataDirectory.open(path), fsync, saveEvery, maxJournalBytes, channels);
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the secret of the directory. */
  public Secret secret() throws IOException {
    return directory.secret();
  }

  /**
   * Loads all filters, repeats the journal, and notes everything from then on. Returns what was
   * found, a line for each thing that a person should know.
   */
  public List<String> load(Keyspace into) throws IOException {
    keyspace = into;
    List<String> told = new ArrayList<>();
    int loaded = 0;
    directory.deleteLeftovers();
    List<Path> states = directory.states();
    if (!states.isEmpty()) { // which can take a while
      LOG.log(
          System.Logger.Level.INFO,
          "loading %d filters from %s".formatted(states.size(), directory.path()));
    }
    for (Path file : states) {
      try {
        load(file);
        loaded++;
      } catch (SnapshotException | IllegalArgumentException e) {
        Path aside = directory.setAside(file);
        told.add(
            "%s is damaged and was set aside as %s; its filter goes on with what the journal has: %s"
                .formatted(file.getFileName(), aside.getFileName(), e.getMessage()));
      }
    }
    long items = repeat(told);
    told.add(
        0,
        "loaded %d filters from %s and repeated %d items of the journal"
            .formatted(loaded, directory.path(), items));
    List<Long> segments = directory.segments();
    long next = segments.isEmpty() ? 1 : segments.get(segments.size() - 1) + 1;
    log = new AppendLog(directory.path(), next, fsync, channels);
    into.journal(log);
    tellAll();
    log.commitOrFail();
    timer.scheduleWithFixedDelay(this::tick, 1, 1, TimeUnit.SECONDS);
    if (items > 0 || segments.size() > 1) {
      requestSave();
    }
    return told;
  }

  private void load(Path file) throws IOException {
    Snapshot state = StateFile.read(file);
    Map<String, String> texts = state.metadata();
    FilterDefinition definition = FilterDefinition.of(texts, state.spec());
    String fileName = file.getFileName().toString();
    String name = texts.getOrDefault("server.name", nameOf(fileName));
    if (definition.setMillis() > 0
        && !state.spec().secret().equals(java.util.Optional.of(keyspace.secret()))) {
      throw new IllegalArgumentException(
          "its keys were hashed with another secret than that of this directory");
    }
    Gate gate =
        Gate.builder().clock(keyspace.clock()).onAlarm(Keyspace.alarmOf(name)).restore(state);
    long id = Long.parseLong(texts.getOrDefault("server.id", "0"));
    ServedFilter filter = keyspace.adopt(id, name, definition, gate);
    filter.expiresAt(Long.parseLong(texts.getOrDefault("server.expires", "" + ServedFilter.NEVER)));
    filter.saved();
    files.add(fileName);
  }

  /** Returns the name of a filter whose file was put here by a person. */
  private static String nameOf(String file) {
    String plain = file.substring(0, file.length() - DataDirectory.STATE.length());
    return Names.of(plain.startsWith("key-") ? plain.substring("key-".length()) : plain);
  }

  private long repeat(List<String> told) throws IOException {
    Replay replay = new Replay(keyspace);
    long items = 0;
    List<Long> segments = directory.segments();
    for (long number : segments) {
      replay.lookAhead(AppendLog.file(directory.path(), number));
    }
    for (long number : segments) {
      Path segment = AppendLog.file(directory.path(), number);
      Replay.Found found = replay.repeat(segment);
      items += found.items();
      boolean last = number == segments.get(segments.size() - 1);
      if (found.lostBytes() > 0) {
        told.add(lost(segment, found, last));
      }
    }
    keyspace.dropExpired();
    return items;
  }

  /** Tells what could not be repeated. What no crash leaves behind is kept beside the journal. */
  private String lost(Path segment, Replay.Found found, boolean last) throws IOException {
    if (last && found.lostBytes() <= LogRecord.HEADER_BYTES + LogRecord.MAX_BYTES) {
      DataDirectory.cut(segment, found.lostBytes()); // else after a second crash it is not the last
      return "%s ends with %d bytes that are no whole record, as a crash leaves them; all before them was repeated"
          .formatted(segment.getFileName(), found.lostBytes());
    }
    Path aside = directory.copyAside(segment);
    return "%s is damaged: its last %d bytes are no whole records, so the items noted there are lost; all before them was repeated, and a copy is in %s"
        .formatted(segment.getFileName(), found.lostBytes(), aside.getFileName());
  }

  /** Notes which filters there are, so that the segments before this one can go. */
  private void tellAll() {
    keyspace.tellAll(log);
  }

  private void tick() {
    try {
      log.tick();
    } catch (RuntimeException e) { // what follows may be the way out
      LOG.log(System.Logger.Level.ERROR, "the journal cannot be written: " + e.getMessage());
    }
    try {
      if (!saving && isSaveDue()) {
        requestSave();
      }
    } catch (RuntimeException e) { // else there would be no next time
      LOG.log(System.Logger.Level.ERROR, "what is done once a second failed", e);
    }
  }

  /** The clock of the machine may be set back; saves go by one that is not. */
  private boolean isSaveDue() {
    long now = System.nanoTime();
    if (!saveFailure.isEmpty()) {
      return now - attemptedAt >= RETRY_NANOS;
    }
    boolean due = now - savedAt >= saveEvery.toNanos();
    return log.isDistrusted()
        || log.segmentBytes() > maxJournalBytes
        || (due && keyspace.all().stream().anyMatch(ServedFilter::isChanged));
  }

  /** Saves all filters soon, while they are used. Returns false if a save is going on. */
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
      tellAll();
      log.forceAll(); // the segments before it will be deleted
      Set<String> live = new HashSet<>();
      for (ServedFilter filter : keyspace.all()) {
        String file = fileOf(filter);
        live.add(file);
        if (filter.isChanged() || !files.contains(file)) {
          save(filter, file);
        }
      }
      dropFiles(live);
      for (long number : directory.segments()) {
        if (number < segment) {
          directory.deleteSegment(number);
        }
      }
      lastSaveMillis = System.currentTimeMillis();
      savedAt = System.nanoTime();
      lastSaveNanos = savedAt - begin;
      saveFailure = "";
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      saveFailure = String.valueOf(e.getMessage());
      throw e;
    } finally {
      saving = false;
    }
  }

  private static String fileOf(ServedFilter filter) {
    long millis = filter.definition().setMillis();
    return millis > 0
        ? "set-%d-%d%s".formatted(millis, filter.definition().memory(), DataDirectory.STATE)
        : Names.file(filter.name(), DataDirectory.STATE);
  }

  private void save(ServedFilter filter, String file) throws IOException {
    filter.saved();
    try (StateFile state = StateFile.open(directory.file(file))) {
      state.saveShardByShard(filter.snapshot());
      files.add(file);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      filter.touch(); // else the next save would leave it out, and delete its journal
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

  /** Returns why nothing can be noted at present; empty if it can. */
  public String failure() {
    return log.failure();
  }

  /** Returns why the last save failed; empty if it did not. */
  public String saveFailure() {
    return saveFailure;
  }

  /** Returns the time of the last save, in milliseconds since 1970. */
  public long lastSaveMillis() {
    return lastSaveMillis;
  }

  /** Returns how long the last save took, in nanoseconds. */
  public long lastSaveNanos() {
    return lastSaveNanos;
  }

  /** Returns whether a save is going on. */
  public boolean isSaving() {
    return saving;
  }

  /** Returns the bytes in the present segment of the journal. */
  public long journalBytes() {
    return log.segmentBytes();
  }

  /** Returns when the journal is forced. */
  public Fsync fsync() {
    return fsync;
  }

  /** Returns the journal. */
  public Journal journal() {
    return log;
  }

  /** Returns where the filters are and how they are kept, in a few words. */
  @Override
  public String toString() {
    return "%s (journal forced: %s, saved every %s)"
        .formatted(directory.path(), fsync.id(), Print.duration(saveEvery));
  }

  /**
   * Ends the work on the directory.
   *
   * @param withSave whether to save all filters before
   */
  public void close(boolean withSave) throws IOException {
    timer.shutdown(); // not shutdownNow: an interrupt while it forces the journal would close the
    // file
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
