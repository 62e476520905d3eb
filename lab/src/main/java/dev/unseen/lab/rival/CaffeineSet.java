package dev.unseen.lab.rival;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Caffeine, the cache that many pipelines de-duplicate with, as a bounded set of hashes. It is not
 * LRU but W-TinyLFU: an entry that is pushed out of a small LRU window is kept only if its key is
 * more frequent than the one it would replace.
 *
 * <p>Its memory is accounted, not allocated: so many bytes an entry; 64 flatters it, as an entry
 * with its boxed key takes more. It draws random numbers of its own, so that equal runs may differ
 * in a few verdicts.
 */
final class CaffeineSet implements Contestant {
  private final long capacity;
  private final int bytesPerEntry;
  private final Cache<Long, Boolean> seen;

  CaffeineSet(long memoryBytes, int bytesPerEntry) {
    this.capacity = Math.max(1, memoryBytes / bytesPerEntry);
    this.bytesPerEntry = bytesPerEntry;
    this.seen =
        Caffeine.newBuilder()
            .maximumSize(capacity)
            .executor(Runnable::run) // evicts at once, not some time later on another thread
            .build();
  }

  @Override
  public boolean admit(long hash) {
    if (seen.getIfPresent(hash) != null) {
      return false;
    }
    seen.put(hash, true);
    return true;
  }

  @Override
  public long memoryBytes() {
    return capacity * bytesPerEntry;
  }
}
