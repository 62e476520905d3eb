package dev.unseen.lab.rival;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Caffeine, the cache that many pipelines use to remove duplicates, as a bounded set of hashes. It
 * is not LRU but W-TinyLFU: an entry that leaves a small LRU window is kept only if its key is more
 * frequent than the one it would replace.
 *
 * <p>Its memory is computed, not measured: a fixed number of bytes per entry. 64 bytes flatter it,
 * because an entry with its boxed key takes more. It draws its own random numbers, so equal runs
 * may differ in a few answers.
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
