package dev.unseen.lab.rival;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The exact set of as many hashes as fit. Its memory is computed, not measured: a fixed number of
 * bytes per entry. 64 bytes are the least that a hash map with a linked list takes in Java, and
 * flatter Caffeine; 8 bytes, the hash alone, is better than any real set can be.
 */
record ExactSet(Map<Long, Boolean> seen, long memoryBytes) implements Contestant {
  /** Returns the set of the hashes that were seen last. */
  static ExactSet lru(long memoryBytes, int bytesPerEntry) {
    long capacity = capacity(memoryBytes, bytesPerEntry);
    Map<Long, Boolean> seen =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > capacity;
          }
        };
    return new ExactSet(seen, capacity * bytesPerEntry);
  }

  /**
   * Returns Caffeine, the cache that many pipelines use to remove duplicates. It is not LRU but
   * W-TinyLFU: an entry that leaves a small LRU window is kept only if its key is more frequent
   * than the one it would replace. It draws its own random numbers, so equal runs may differ in a
   * few answers.
   */
  static ExactSet caffeine(long memoryBytes, int bytesPerEntry) {
    long capacity = capacity(memoryBytes, bytesPerEntry);
    return new ExactSet(
        Caffeine.newBuilder()
            .maximumSize(capacity)
            .executor(Runnable::run) // evicts at once, not some time later on another thread
            .<Long, Boolean>build()
            .asMap(),
        capacity * bytesPerEntry);
  }

  private static long capacity(long memoryBytes, int bytesPerEntry) {
    return Math.max(1, memoryBytes / bytesPerEntry);
  }

  @Override
  public boolean admit(long hash) {
    return seen.putIfAbsent(hash, true) == null;
  }
}
