package dev.unseen.server.durable;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.server.store.FilterDefinition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the segments of a journal contain about each other and about the files of filters. All are
 * read once before the first is replayed, and nothing is changed.
 */
final class JournalScan {
  final Map<Long, SegmentReader.Found> segments = new LinkedHashMap<>(); // by number, in order
  private final Map<Long, String> files = new HashMap<>(); // by the number of the filter
  final Map<Long, Integer> deletions = new HashMap<>(); // by the number of the filter
  private final Set<Long> saved = new LinkedHashSet<>();
  final Set<String> fingerprints = new LinkedHashSet<>(); // of the secrets of the items
  long needed; // the first segment that is needed; 0: not known
  private long last; // the last segment that must exist
  private boolean hashed; // the present segment has something that depends on the secret

  /** A record that creates a filter. */
  record Created(long id, long expiresAt, String name, FilterDefinition definition) {
    static Created read(ByteBuffer body) {
      long id = body.getLong();
      long expiresAt = body.getLong();
      byte[] name = new byte[Math.min(body.getInt(), body.remaining())];
      body.get(name);
      byte[] definition = new byte[body.remaining()];
      body.get(definition);
      return new Created(
          id,
          expiresAt,
          new String(name, ISO_8859_1),
          FilterDefinition.parse(new String(definition, UTF_8)));
    }
  }

  static JournalScan of(DataDirectory directory) throws IOException {
    JournalScan scan = new JournalScan();
    for (long number : directory.segments()) {
      scan.hashed = false;
      SegmentReader.Found found =
          SegmentReader.read(AppendLog.file(directory.path(), number), scan::record);
      scan.segments.put(number, found);
      if (found.header() != null) {
        scan.needed = Math.max(scan.needed, found.header().first());
        scan.last = Math.max(scan.last, number);
        if (scan.hashed) {
          scan.fingerprints.add(found.header().fingerprint());
        }
      } else if (found.isDamaged()) {
        scan.last = Math.max(scan.last, number);
      }
    }
    scan.saved.removeAll(scan.deletions.keySet());
    return scan;
  }

  private void record(ByteBuffer body) {
    switch (body.get()) {
      case LogRecord.ADMITTED, LogRecord.KNOWN, LogRecord.EXCEPTION -> hashed = true;
      case LogRecord.CREATED -> {
        hashed = true;
        Created created = Created.read(body);
        files.put(created.id(), DataDirectory.fileOf(created.name(), created.definition()));
      }
      case LogRecord.DELETED -> deletions.merge(body.getLong(), 1, Integer::sum);
      case LogRecord.CHECKPOINT -> {
        needed = Math.max(needed, body.getLong());
        saved.clear();
      }
      case LogRecord.SAVED -> {
        while (body.hasRemaining()) {
          saved.add(body.getLong());
        }
      }
      case LogRecord.NEXT -> last = Math.max(last, body.getLong());
      default -> {} // the next reader rejects what it does not know
    }
  }

  /** Returns the numbers of all filters that the journal creates. */
  Set<Long> ids() {
    return files.keySet();
  }

  /**
   * Returns the segments that are missing, or cut off before their first record.
   *
   * @param used the last segment that a saved filter refers to
   */
  Set<Long> missing(long used) {
    Set<Long> missing = new LinkedHashSet<>();
    long first = segments.isEmpty() ? used : segments.keySet().iterator().next();
    boolean certain = segments.isEmpty() || !segments.get(first).isDamaged();
    // A damaged first segment may have contained that those before it are not needed.
    long from = needed == 0 || (needed < first && !certain) ? first : needed;
    for (long number = Math.max(1, from); number <= Math.max(last, used); number++) {
      SegmentReader.Found found = segments.get(number);
      if (found == null || (found.header() == null && !found.isDamaged())) {
        missing.add(number);
      }
    }
    return missing;
  }

  /**
   * Returns the files of saved filters that are missing.
   *
   * @param present the names of the files that exist
   * @param loaded the numbers of the filters that were loaded from them, which may be renamed
   */
  Set<String> missingFiles(Set<String> present, Set<Long> loaded) {
    Set<String> missing = new LinkedHashSet<>();
    for (long id : saved) {
      String file = files.get(id);
      if (file != null && !present.contains(file) && !loaded.contains(id)) {
        missing.add(file);
      }
    }
    return missing;
  }
}
