package dev.unseen.plan.stream;

import dev.unseen.text.Require;

/**
 * The shuffled stream: N records of D keys, each at least once. A key has one compulsory record and
 * lambda = (N - D)/D further ones on average, Poisson for large D, all at random places. So it is
 * absent from a share x of the stream with chance (1 - x) e^(-lambda x).
 */
record ShuffledStreamModel(double records, double keys) implements StreamModel {
  ShuffledStreamModel {
    Require.that(records >= 1 && records < 1e18, "records", records, "1 to 1e18");
    Require.that(
        keys >= 1 && keys <= records, "distinct", keys, "at least 1 and at most the records");
  }

  private double lambda() {
    return (records - keys) / keys;
  }

  /** Returns (D/N) (1 + lambda (1 - x)) e^(-lambda x). */
  @Override
  public double unseen(double window) {
    double x = Math.min(1, window / records);
    return keys / records * (1 + lambda() * (1 - x)) * Math.exp(-lambda() * x);
  }

  /** Returns D (1 - (1 - x) e^(-lambda x)), computed so that a small window stays exact. */
  @Override
  public double distinct(double window) {
    double x = Math.min(1, window / records);
    return keys * (x - (1 - x) * Math.expm1(-lambda() * x));
  }

  @Override
  public boolean exchangeable() {
    return true;
  }
}
