package dev.unseen.bench;

import java.util.List;

/**
 * The least and the most resident memory after a warm-up.
 *
 * @param least in bytes
 * @param most in bytes
 */
record SoakResult(long least, long most) {
  /**
   * The largest allowed difference between two samples after the warm-up, as a share of the smaller
   * one.
   */
  static final double FLAT = 0.05;

  /** The seconds in which Java compiles the code it runs. For a short run it is the first half. */
  private static final long WARM_UP = 300;

  static SoakResult of(List<Soak.Sample> samples) {
    long warmUp = Math.min(WARM_UP, samples.get(samples.size() - 1).seconds() / 2);
    List<Soak.Sample> warm = samples.stream().filter(s -> s.seconds() >= warmUp).toList();
    return new SoakResult(
        warm.stream().mapToLong(Soak.Sample::bytes).min().orElseThrow(),
        warm.stream().mapToLong(Soak.Sample::bytes).max().orElseThrow());
  }

  double spread() {
    return (double) (most - least) / least;
  }

  boolean isFlat() {
    return spread() <= FLAT;
  }

  static String csv(List<Soak.Sample> samples) {
    StringBuilder csv = new StringBuilder("seconds,resident bytes\n");
    samples.forEach(s -> csv.append(s.seconds()).append(',').append(s.bytes()).append('\n'));
    return csv.toString();
  }
}
