package dev.unseen.plan.stream;

import dev.unseen.text.Require;

/** A stream of uniform draws from U keys: a key is absent from w records with chance e^(-w/U). */
record UniformStreamModel(double records, double universe) implements StreamModel {
  UniformStreamModel {
    Require.that(records >= 1 && records < 1e18, "records", records, "1 to 1e18");
    Require.that(universe >= 1, "universe", universe, "at least 1");
  }

  @Override
  public double unseen(double window) {
    return Math.exp(-window / universe);
  }

  @Override
  public double distinct(double window) {
    return -universe * Math.expm1(-window / universe);
  }

  @Override
  public boolean exchangeable() {
    return true;
  }
}
