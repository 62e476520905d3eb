package dev.unseen.plan.predict;

/**
 * Computes powers with whole exponents. The model spends most of its time in them, and Math.pow is
 * slower.
 */
final class IntegerPower {
  private IntegerPower() {}

  static double of(double base, int exponent) {
    double result = 1;
    double square = base;
    for (int e = exponent; e > 0; e >>= 1) {
      if ((e & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }
}
