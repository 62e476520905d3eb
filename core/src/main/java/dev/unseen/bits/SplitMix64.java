package dev.unseen.bits;

import dev.unseen.state.StateVisitor;
import dev.unseen.state.Stateful;
import java.io.IOException;

/**
 * Generates the random numbers of a filter: SplitMix64, whose whole state is one counter, so that a
 * filter behaves the same after a restart.
 *
 * <p>Reference: Steele, Lea, Flood, <i>Fast splittable pseudorandom number generators</i>, 2014.
 */
public final class SplitMix64 implements Stateful {
  private long state;

  public SplitMix64(long seed) {
    this.state = Mix.mix(seed);
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    state = visitor.number("random", state);
  }

  public long next() {
    return Mix.mix(state += Mix.GOLDEN);
  }

  /** Returns the number that {@link #below} will return after {@code draws} more draws. */
  public long belowAhead(int draws, long n) {
    return Mix.reduce(Mix.mix(state + (draws + 1) * Mix.GOLDEN), n);
  }

  /** Returns a uniform number in {@code 0..n-1}, for a positive {@code n}. */
  public long below(long n) {
    return Mix.reduce(next(), n);
  }

  /** Returns true with probability {@code part / whole}. */
  public boolean chance(long part, long whole) {
    return below(whole) < part;
  }
}
