package dev.unseen.server.durable;

import dev.unseen.hash.Secret;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.Names;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import dev.unseen.text.Print;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Loads a directory.
 *
 * <pre>
 * read all segments of the journal, and load each file, without a change to the directory
 * something is missing:  fail, unless the user accepts the loss
 * set aside what is damaged, cut off what a crash has left at the end of the journal
 * replay all segments in order; filters take over the present secret before the first of its segments
 * </pre>
 */
final class Recovery {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");

  /** The metadata of a saved filter: the directory and the segment it belongs to. */
  static final String SECRET_TEXT = "server.secret";

  static final String JOURNAL_TEXT = "server.journal";

  private final DataDirectory directory;
  private final Keyspace keyspace;
  private final Consumer<String> progress;
  private final Optional<Secret> secret; // of the directory
  private final JournalScan scan;
  private final Map<String, Secret> secrets = new HashMap<>(); // by their fingerprints
  final Set<String> files = new HashSet<>(); // of filters that were loaded
  private final Set<String> present = new HashSet<>();
  private final Map<Path, String> unreadable = new LinkedHashMap<>(); // with the reason
  private final Map<Path, Snapshot> foreign = new LinkedHashMap<>(); // copied here by a person
  private final List<String> missing = new ArrayList<>();
  final List<String> messages = new ArrayList<>(); // for a person, one per line
  private boolean rehashed; // filters were saved with a former secret
  private long usedSegment; // the last one that a saved filter refers to
  long items; // that were replayed
  int damagedFiles; // or missing ones
  long damagedBytes; // of the journal

  private Recovery(DataDirectory directory, Keyspace keyspace, Consumer<String> progress)
      throws IOException {
    this.progress = progress;
    this.directory = directory;
    this.keyspace = keyspace;
    this.secret = directory.secret();
    this.scan = JournalScan.of(directory);
    keyspace.formerSecrets().forEach(one -> know(one.secret()));
    know(keyspace.secret());
  }

  private void know(Secret one) {
    secrets.put(one.fingerprint(), one);
  }

  /**
   * Loads all filters of a directory and replays its journal.
   *
   * @throws DirectoryException if something is missing and the loss is not accepted
   */
  static Recovery run(
      DataDirectory directory, Keyspace into, boolean acceptDataLoss, Consumer<String> progress)
      throws IOException {
    directory.deleteLeftovers();
    progress.accept("reading the journal");
    Recovery recovery = new Recovery(directory, into, progress);
    recovery.loadStates();
    recovery.findMissing();
    if (!recovery.missing.isEmpty() && !acceptDataLoss) {
      throw new DirectoryException(
          DirectoryException.Reason.INCOMPLETE,
          "%s: %s; items that were there would be admitted again"
              .formatted(directory.path(), String.join("; ", recovery.missing)),
          null);
    }
    recovery.missing.forEach(what -> recovery.messages.add("accepted data loss: " + what));
    recovery.damagedFiles += recovery.missing.size();
    recovery.setAsideUnreadable();
    recovery.adoptForeign();
    recovery.repeat();
    return recovery;
  }

  private void loadStates() throws IOException {
    List<Path> states = directory.states();
    if (!states.isEmpty()) { // which can take a while
      LOG.log(
          System.Logger.Level.INFO,
          "loading %d filters from %s".formatted(states.size(), directory.path()));
    }
    scan.ids().forEach(keyspace::usedId);
    for (Path file : states) {
      progress.accept("loading filters: %d of %d".formatted(present.size(), states.size()));
      present.add(file.getFileName().toString());
      try {
        load(file, StateFile.read(file));
      } catch (SnapshotException | IllegalArgumentException e) {
        unreadable.put(file, e.getMessage());
      }
    }
  }

  private void load(Path file, Snapshot state) throws IOException {
    Map<String, String> texts = state.metadata();
    String fingerprint = texts.getOrDefault(SECRET_TEXT, "");
    boolean ours = secrets.containsKey(fingerprint) || scan.fingerprints.contains(fingerprint);
    if (isForSet(state) && state.spec().secret().filter(secrets::containsValue).isEmpty()) {
      missing.add(
          "the keys in %s are hashed with another secret than that in the file secret"
              .formatted(file.getFileName()));
      throw new IllegalArgumentException("its keys are hashed with another secret");
    }
    if (!ours) {
      foreign.put(file, state);
      return;
    }
    usedSegment = Math.max(usedSegment, Long.parseLong(texts.getOrDefault(JOURNAL_TEXT, "0")));
    adopt(file, state, Long.parseLong(texts.getOrDefault("server.id", "0")));
  }

  private static boolean isForSet(Snapshot state) {
    return FilterDefinition.of(state.metadata(), state.spec()).setMillis() > 0;
  }

  private ServedFilter adopt(Path file, Snapshot state, long id) throws IOException {
    Map<String, String> texts = state.metadata();
    String name = nameOf(file, state);
    ServedFilter filter =
        keyspace.adopt(
            id, name, FilterDefinition.of(texts, state.spec()), keyspace.restore(name, state));
    filter.expiresAt(Long.parseLong(texts.getOrDefault("server.expires", "" + ServedFilter.NEVER)));
    filter.saved();
    files.add(file.getFileName().toString());
    return filter;
  }

  private static String nameOf(Path file, Snapshot state) {
    String plain = file.getFileName().toString();
    plain = plain.substring(0, plain.length() - DataDirectory.STATE.length());
    return Optional.ofNullable(state.metadata().get("server.name"))
        .orElse(Names.of(plain.startsWith("key-") ? plain.substring("key-".length()) : plain));
  }

  private void findMissing() {
    Set<String> others = new HashSet<>(scan.fingerprints);
    others.removeAll(secrets.keySet());
    if (!others.isEmpty() && secret.isEmpty()) {
      missing.add(
          "the file secret is missing, with which the items in the journal are hashed (fingerprint %s)"
              .formatted(String.join(", ", others)));
    } else if (!others.isEmpty()) {
      missing.add(
          "the items in the journal are hashed with another secret (fingerprint %s) than that in the file secret (%s)"
              .formatted(String.join(", ", others), keyspace.secret().fingerprint()));
    }
    Set<Long> segments = scan.missing(usedSegment);
    segments.forEach(number -> missing.add("journal-%d.log is missing or empty".formatted(number)));
    if (segments.isEmpty() && scan.segments.isEmpty() && secret.isPresent()) {
      missing.add("the journal is missing, though the directory was in use");
    }
    Set<Long> loaded = new HashSet<>();
    keyspace.all().forEach(filter -> loaded.add(filter.id()));
    scan.missingFiles(present, loaded)
        .forEach(file -> missing.add(file + " is missing, which the journal refers to"));
  }

  private void setAsideUnreadable() throws IOException {
    for (Map.Entry<Path, String> file : unreadable.entrySet()) {
      Path aside = directory.setAside(file.getKey());
      damagedFiles++;
      messages.add(
          "%s is damaged and was set aside as %s; its filter continues with what the journal has: %s"
              .formatted(file.getKey().getFileName(), aside.getFileName(), file.getValue()));
    }
  }

  /** Loads the files that a person has copied here, under new numbers. */
  private void adoptForeign() throws IOException {
    for (Map.Entry<Path, Snapshot> file : foreign.entrySet()) {
      String name = nameOf(file.getKey(), file.getValue());
      if (keyspace.named().stream().anyMatch(filter -> filter.name().equals(name))) {
        messages.add(
            "%s was not loaded, because a filter of the name '%s' exists; rename or delete the file"
                .formatted(file.getKey().getFileName(), Names.shown(name)));
      } else {
        adopt(file.getKey(), file.getValue(), 0).touch();
      }
    }
  }

  private void repeat() throws IOException {
    Replay replay = new Replay(keyspace, scan.deletions);
    long last = scan.segments.keySet().stream().mapToLong(n -> n).max().orElse(0);
    Optional<Secret> with = Optional.of(keyspace.secret());
    for (Map.Entry<Long, SegmentReader.Found> each : scan.segments.entrySet()) {
      Path segment = AppendLog.file(directory.path(), each.getKey());
      SegmentHeader header = each.getValue().header();
      if (header != null) { // otherwise it probably has the secret of the segment before
        with = Optional.ofNullable(secrets.get(header.fingerprint()));
      }
      if (with.equals(Optional.of(keyspace.secret()))) {
        rehashed |= keyspace.rehash();
      }
      progress.accept(
          "replaying the journal, up to %s, after %s"
              .formatted(segment.getFileName(), Print.things(replay.items, "item")));
      replay.repeat(segment, with);
      report(segment, each.getValue(), each.getKey() == last);
    }
    rehashed |= keyspace.rehash();
    items = replay.items;
    if (replay.aheadItems > 0) {
      messages.add(
          "%s of the journal have times more than a day ahead of the clock of the machine, which was wrong then or is now; they count as seen now"
              .formatted(Print.things(replay.aheadItems, "item")));
    }
    if (replay.lostItems > 0) {
      messages.add(
          "%s of the journal were lost, because their filter is unknown or has another secret"
              .formatted(Print.things(replay.lostItems, "item")));
    }
    keyspace.dropExpired();
  }

  /** Reports what could not be replayed. Keeps a copy of damage that no crash explains. */
  private void report(Path segment, SegmentReader.Found found, boolean last) throws IOException {
    String name = segment.getFileName().toString();
    boolean torn = found.tornBytes() > 0;
    if (found.isDamaged() || (torn && !last)) {
      Path copy = directory.copyAside(segment);
      damagedFiles++;
      damagedBytes += found.damagedBytes() + (last ? 0 : found.tornBytes());
      messages.add(
          "%s is damaged: %s, %s in all, were skipped and their items are lost; all other records were replayed, and a copy is in %s"
              .formatted(
                  name,
                  found.isDamaged()
                      ? "%s from offset %d on"
                          .formatted(
                              Print.things(found.damagedPlaces(), "place"), found.damagedAt())
                      : "the end",
                  Print.things(found.damagedBytes() + (last ? 0 : found.tornBytes()), "byte"),
                  copy.getFileName()));
    }
    if (torn && last && found.header() == null && !found.isDamaged()) {
      Files.delete(segment); // its creation was interrupted
    } else if (torn && last) {
      DataDirectory.cut(
          segment, found.tornBytes()); // otherwise it would not be the last after a second crash
      messages.add(
          "%s ends inside a record, as a crash leaves it; its last %s were cut off, and all records before them were replayed"
              .formatted(name, Print.things(found.tornBytes(), "byte")));
    }
  }

  /** Returns the first segment that is still needed; 0 if there is none. */
  long firstSegment() throws IOException {
    List<Long> segments = directory.segments();
    return segments.isEmpty() ? 0 : Math.max(scan.needed, segments.get(0));
  }

  /**
   * Returns whether all must be saved now, because the directory has gaps or new files, or a change
   * of the secret was interrupted.
   */
  boolean needsSave() {
    return !missing.isEmpty() || !foreign.isEmpty() || rehashed;
  }
}
