package dev.unseen.cli.plan;

import java.util.stream.DoubleStream;

/**
 * A logarithmic axis of rates from a power of ten up to 1, and a place for what is below it, zero
 * included.
 */
final class RateAxis {
  private static final int LOWEST = -6;
  private final double zeroAt;
  private final double from;
  private final double to;
  private final int lowest;
  private final boolean hasZero;

  /** From the place of zero to that of 1; the margin is between zero and the lowest power. */
  RateAxis(double start, double end, double margin, DoubleStream rates) {
    double[] all = rates.toArray();
    double least = DoubleStream.of(all).filter(r -> r >= Math.pow(10, LOWEST)).min().orElse(0.1);
    this.lowest = (int) Math.max(LOWEST, Math.min(-1, Math.floor(Math.log10(least))));
    this.hasZero = DoubleStream.of(all).anyMatch(r -> r < Math.pow(10, lowest));
    this.zeroAt = start;
    this.from = hasZero ? start + Math.copySign(margin, end - start) : start;
    this.to = end;
  }

  int lowestPower() {
    return lowest;
  }

  boolean hasZero() {
    return hasZero;
  }

  /** Returns the place where a rate is drawn. */
  double at(double rate) {
    double log = Math.log10(rate);
    return log < lowest - 1e-9 ? zeroAt : from + (to - from) * (log - lowest) / -lowest;
  }

  /** {@code 100 %}, {@code 0.01 %}. */
  static String label(int power) {
    return power >= -2
        ? (power == 0 ? "100 %" : power == -1 ? "10 %" : "1 %")
        : "0." + "0".repeat(-power - 3) + "1 %";
  }

  /** Returns the text below the axis. */
  String zeroLabel() {
    return lowest == LOWEST ? "~0" : "0";
  }
}
