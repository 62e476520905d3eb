package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.text.Require;
import java.util.function.LongUnaryOperator;

/**
 * Draws from a universe in which the key of rank r (from 1 on) has a share proportional to r^-s,
 * for any exponent s above 0. Key 0 is the most frequent.
 *
 * <p>Drawn by rejection-inversion, which needs no table: Hörmann and Derflinger,
 * <i>Rejection-inversion to generate variates from monotone discrete distributions</i>, 1996. With
 * h(x) = x^-s, H its integral: u is drawn between H(1.5) - h(1) and H(n + 0.5); x = H^-1(u) rounded
 * to k is taken if u is above H(k + 0.5) - h(k).
 */
final class Zipf implements LongUnaryOperator {
  private final long universe;
  private final double exponent;
  private final long seed;
  private final double low;
  private final double high;

  Zipf(long universe, double exponent, long seed) {
    Require.that(universe >= 1, "universe", universe, "at least 1");
    Require.that(exponent > 0 && exponent <= 100, "exponent", exponent, "above 0 and at most 100");
    this.universe = universe;
    this.exponent = exponent;
    this.seed = Mix.mix(seed);
    this.low = integral(1.5) - 1;
    this.high = integral(universe + 0.5);
  }

  @Override
  public long applyAsLong(long i) {
    SplitMix64 random = Streams.randomOf(seed, i);
    while (true) {
      double u = high + Streams.unit(random) * (low - high);
      double x = inverse(u);
      long k = Math.max(1, Math.min(universe, (long) (x + 0.5)));
      if (u >= integral(k + 0.5) - Math.pow((double) k, -exponent)) {
        return k - 1;
      }
    }
  }

  /** Returns H(x) = (x^(1-s) - 1) / (1-s), which is ln x for s = 1. */
  private double integral(double x) {
    double t = (1 - exponent) * Math.log(x);
    return Math.log(x) * (Math.abs(t) < 1e-8 ? 1 + t / 2 : Math.expm1(t) / t);
  }

  /** Returns H^-1(u). */
  private double inverse(double u) {
    double t = Math.max(-1, u * (1 - exponent));
    return Math.exp(u * (Math.abs(t) < 1e-8 ? 1 - t / 2 : Math.log1p(t) / t));
  }
}
