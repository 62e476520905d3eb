package dev.unseen.lab.rival;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * LRU: the exact set of the last distinct hashes. When it is full, it drops the hash that was seen
 * least recently.
 *
 * <p>Its memory is computed, not measured: a fixed number of bytes per entry. 64 bytes are the
 * least that a hash map with a linked list takes in Java; 8 bytes, the hash alone, is better than
 * any real one can be.
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
