package dev.unseen.plan;

import java.util.OptionalLong;

/**
 * The recommended filter, with the reason.
 *
 * @param option the filter; if none meets the limits, the one that comes nearest
 * @param exactSetBytes the size in bytes of an exact set of all keys, if the memory is large enough
 *     for it
 * @param reason one sentence
 */
public record Recommendation(PlanOption option, OptionalLong exactSetBytes, String reason) {
  /**
   * The bytes per key of an exact set: 64-bit hashes in an open table, half full so that it stays
   * fast. Two of a billion keys share a hash with a chance of 3 %.
   */
  public static final int EXACT_SET_BYTES_PER_KEY = 16;
}
