package dev.unseen.plan;

import java.util.OptionalLong;

/**
 * What to take, and why.
 *
 * @param option the filter; if none meets the limits, the one that comes nearest
 * @param exactSetBytes if the memory would do for an exact set of all keys: the bytes of the set
 * @param reason one sentence
 */
public record Recommendation(PlanOption option, OptionalLong exactSetBytes, String reason) {
  /**
   * What an exact set takes: 64-bit hashes in an open table, half full so that it stays fast. Two
   * of a billion keys share a hash with a chance of 3 %.
   */
  public static final int EXACT_SET_BYTES_PER_KEY = 16;
}
