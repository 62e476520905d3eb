package dev.unseen.state;

/**
 * Limits the counts that are saved. No stream is as long as {@link #MOST}, and a count does not
 * grow beyond it. A state with absurd counts therefore cannot make later counts overflow, whatever
 * it is merged with.
 */
public final class Counts {
  /** The largest count that is written or accepted: 2^60. */
  public static final long MOST = 1L << 60;

  private Counts() {}

  /** Returns the sum of two counts, or {@link #MOST} if the sum is larger. */
  public static long sum(long one, long other) {
    return Math.min(MOST, Math.min(MOST, one) + Math.min(MOST, other));
  }
}
