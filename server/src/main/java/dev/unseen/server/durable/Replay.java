package dev.unseen.server.durable;

import dev.unseen.hash.Secret;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.Names;
import dev.unseen.server.store.ServedFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Replays a journal. Replaying what is in a filter already is harmless, because a filter remembers
 * an item once.
 */
final class Replay {
  private static final long MAX_AHEAD_MILLIS = Duration.ofDays(1).toMillis();

  private final Keyspace keyspace;
  private final Map<Long, ServedFilter> filters = new HashMap<>();
  private final Map<Long, Integer> deletions; // not yet replayed, of each filter
  private final Set<Long> loaded; // filters that came from files, with the secret of their items
  private final Set<Long> rehashed = new HashSet<>(); // of them, those with the present secret
  private final Set<Long> superseded = new HashSet<>(); // a later filter of the same name is saved
  private Optional<Secret> secret = Optional.empty(); // of the present segment, if it is known
  long items; // that were replayed
  long lostItems; // their filter is unknown, or hashed with another secret

  /**
   * The items whose time is more than a day ahead of the present: the clock of the machine was
   * wrong then, or is now. They count as seen now.
   */
  long aheadItems;

  /**
   * Creates the replay of a journal.
   *
   * @param deletions how often the journal deletes each filter. A filter that will be deleted is
   *     not built, which could take long and more memory than there is.
   */
  Replay(Keyspace keyspace, Map<Long, Integer> deletions) {
    this.keyspace = keyspace;
    this.deletions = new HashMap<>(deletions);
    keyspace.all().forEach(filter -> filters.put(filter.id(), filter));
    this.loaded = Set.copyOf(filters.keySet());
    keyspace.all().stream()
        .filter(filter -> filter.secret().equals(Optional.of(keyspace.secret())))
        .forEach(filter -> rehashed.add(filter.id()));
  }

  /**
   * Replays a segment.
   *
   * @param with the secret that its items are hashed with, the present one or a former one; empty
   *     if it is unknown
   */
  SegmentReader.Found repeat(Path segment, Optional<Secret> with) throws IOException {
    this.secret = with;
    return SegmentReader.read(segment, this::repeat);
  }

  private void repeat(ByteBuffer body) throws IOException {
    switch (body.get()) {
      case LogRecord.ADMITTED -> remember(body.getLong(), body.getLong(), body, true);
      case LogRecord.KNOWN -> remember(body.getLong(), body.getLong(), body, false);
      case LogRecord.CREATED -> create(JournalScan.Created.read(body));
      case LogRecord.DELETED -> delete(body.getLong());
      case LogRecord.EXPIRES -> {
        ServedFilter filter = filters.get(body.getLong());
        if (filter != null) {
          filter.expiresAt(body.getLong());
        }
      }
      case LogRecord.EXCEPTION -> {
        if (secret.isPresent()) {
          keyspace.setKeys().restore(body.getLong(), body.getLong(), body.getLong());
        }
      }
      case LogRecord.CHECKPOINT, LogRecord.SAVED, LogRecord.NEXT -> {} // for JournalScan
      default ->
          throw new IOException(
              "the journal has a record of a type that this version does not know; use the version"
                  + " that wrote it");
    }
  }

  private void remember(long id, long millis, ByteBuffer hashes, boolean fresh) {
    int count = hashes.remaining() / Long.BYTES;
    if (isBeforeRehash(id)) {
      return;
    }
    ServedFilter filter = find(id);
    if (filter == null) {
      boolean unwanted = !fresh || deletions.containsKey(id) || superseded.contains(id);
      lostItems += unwanted ? 0 : count;
      return;
    }
    long now = keyspace.now();
    boolean ahead = millis > now + MAX_AHEAD_MILLIS;
    aheadItems += ahead ? count : 0;
    for (int i = 0; i < count; i++) {
      filter.replay(hashes.getLong(), ahead ? now : millis, fresh);
    }
    items += fresh ? count : 0;
  }

  /**
   * Returns whether the items of the present segment are hashed with a former secret, and a filter
   * was saved after the change: its file contains them.
   */
  private boolean isBeforeRehash(long id) {
    return rehashed.contains(id) && secret.isPresent() && !secret.get().equals(keyspace.secret());
  }

  private ServedFilter find(long id) {
    return secret.isPresent() || loaded.contains(id) ? filters.get(id) : null;
  }

  private void create(JournalScan.Created created) throws IOException {
    ServedFilter filter = filters.get(created.id());
    if (filter == null && deletions.containsKey(created.id())) {
      keyspace.usedId(created.id());
    } else if (filter == null) {
      filter = build(created);
    }
    if (filter != null) {
      if (created.definition().changes() > filter.definition().changes()) {
        keyspace.resize(filter, created.definition());
      }
      filter.expiresAt(created.expiresAt());
    }
  }

  /** Creates a filter, unless the one of its name that was saved is a later one. */
  private ServedFilter build(JournalScan.Created created) throws IOException {
    for (ServedFilter other : keyspace.all()) {
      if (other.name().equals(created.name())
          && other.definition().setMillis() == created.definition().setMillis()
          && other.id() > created.id()) {
        superseded.add(created.id());
        return null;
      }
    }
    try {
      ServedFilter filter =
          keyspace.recreate(
              created.id(), created.name(), created.definition(), secret.orElse(keyspace.secret()));
      filters.put(created.id(), filter);
      return filter;
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "the journal creates filter '%s', which this version cannot build: %s"
              .formatted(Names.shown(created.name()), e.getMessage()),
          e);
    }
  }

  private void delete(long id) {
    deletions.computeIfPresent(id, (same, count) -> count == 1 ? null : count - 1);
    ServedFilter filter = filters.remove(id);
    if (filter != null && !keyspace.delete(filter)) {
      keyspace.setKeys().drop(filter);
    }
  }
}
