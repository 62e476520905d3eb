package dev.unseen.lab.rival;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * LRU: the set of the last distinct hashes, exact. Full, it drops the one that was seen least
 * recently.
 *
 * <p>Its memory is accounted, not allocated: so many bytes an entry. 64 are what a hash map with a
 * linked list takes in Java at its best; 8, the hash alone, is more than any real one can do.
 */
final class LeastRecentSet implements Contestant {
  private final long capacity;
  private final int bytesPerEntry;
  private final Map<Long, Boolean> seen;

  LeastRecentSet(long memoryBytes, int bytesPerEntry) {
    this.capacity = Math.max(1, memoryBytes / bytesPerEntry);
    this.bytesPerEntry = bytesPerEntry;
    this.seen =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > capacity;
          }
        };
  }

  @Override
  public boolean admit(long hash) {
    return seen.put(hash, true) == null;
  }

  @Override
  public long memoryBytes() {
    return capacity * bytesPerEntry;
  }
}
