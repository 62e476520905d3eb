package dev.unseen.spring.idempotent;

import java.util.Optional;

/**
 * Keeps responses for a while, so that a duplicate gets the response of the first request. It is
 * asked only for keys that were processed before. A bean of this type switches replays on; {@code
 * unseen.idempotency.replay.store} creates one that uses Caffeine or JDBC.
 *
 * <p>If a method throws an exception, a warning is logged, and duplicates get a 409 as without
 * replays. Implementations are safe for use by many threads, and may block.
 */
public interface ResponseStore {
  /**
   * Returns the response that was saved last with a key, unless it was dropped since.
   *
   * @param key 64 hexadecimal digits, a hash of the request's key
   */
  Optional<byte[]> find(String key);

  /**
   * Saves a response, in place of any other with the same key. It is called before the key counts
   * as processed.
   *
   * @param key 64 hexadecimal digits, a hash of the request's key
   * @param response status, headers and body, and a fingerprint of the request
   */
  void save(String key, byte[] response);
}
