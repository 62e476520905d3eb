package dev.unseen.spring.idempotent;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;

/** Keeps responses in the memory of this process, up to a number of bytes. */
final class CaffeineResponseStore implements ResponseStore {
  private static final int OVERHEAD = 256; // of an entry: about that of its key and nodes

  private final Cache<String, byte[]> responses;

  CaffeineResponseStore(long maxBytes, Duration retention) {
    responses =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((String key, byte[] response) -> OVERHEAD + response.length)
            .expireAfterWrite(retention)
            .build();
  }

  @Override
  public Optional<byte[]> find(String key) {
    return Optional.ofNullable(responses.getIfPresent(key));
  }

  @Override
  public void save(String key, byte[] response) {
    responses.put(key, response);
  }
}
