package dev.unseen.plan;

/** Two small functions that the model spends its time in. */
final class Powers {
  private Powers() {}

  /** base^exponent, for a whole exponent from 1 on. */
  static double power(double base, int exponent) {
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

  /** (1 - e^-x)/x: the mean of e^-u over u from 0 to x. */
  static double meanDecay(double x) {
    return x < 1e-5 ? 1 - x / 2 : -Math.expm1(-x) / x;
  }
}
