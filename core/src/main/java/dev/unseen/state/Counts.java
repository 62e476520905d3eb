package dev.unseen.state;

/**
 * Counts that are saved. No stream is as long as {@link #MOST}, and at that number a count stays:
 * so a state that claims absurd counts cannot make later ones overflow, whatever it is joined with.
 */
public final class Counts {
  /** The largest count that is written, and that is accepted: 2^60. */
  public static final long MOST = 1L << 60;

  private Counts() {}

  /** Returns the sum of two counts, or the largest count if that is less. */
  public static long sum(long one, long other) {
    return Math.min(MOST, Math.min(MOST, one) + Math.min(MOST, other));
  }
}
