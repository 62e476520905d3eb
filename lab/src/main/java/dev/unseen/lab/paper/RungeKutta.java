package dev.unseen.lab.paper;

import java.util.function.DoubleUnaryOperator;

/**
 * Solves x' = f(x) by the classic fourth-order method of Runge and Kutta. A step is as long as the
 * difference between one step and two half steps allows.
 */
final class RungeKutta {
  private static final double TOLERANCE = 1e-11;

  private RungeKutta() {}

  /** Returns x after a span of time. */
  static double solve(DoubleUnaryOperator f, double start, double span) {
    double x = start;
    double left = span;
    double step = Math.min(span, 0.01);
    while (left > 0) {
      double h = Math.min(step, left);
      double once = advance(f, x, h);
      double twice = advance(f, advance(f, x, h / 2), h / 2);
      double error = Math.abs(twice - once);
      double allowed = TOLERANCE * Math.max(1, Math.abs(x));
      if (error <= allowed) {
        x = twice;
        left -= h;
      }
      step = h * Math.max(0.2, Math.min(2, 0.9 * Math.pow(allowed / (error + 1e-300), 0.2)));
    }
    return x;
  }

  private static double advance(DoubleUnaryOperator f, double x, double h) {
    double k1 = f.applyAsDouble(x);
    double k2 = f.applyAsDouble(x + h / 2 * k1);
    double k3 = f.applyAsDouble(x + h / 2 * k2);
    double k4 = f.applyAsDouble(x + h * k3);
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
}
