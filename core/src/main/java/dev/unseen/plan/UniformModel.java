package dev.unseen.plan;

/** Uniform draws from U keys: a key is absent from w records with chance e^(-w/U). */
record UniformModel(double records, double universe) implements StreamModel {
  UniformModel {
    Checks.require(records >= 1 && records < 1e18, "records", records, "1 to 1e18");
    Checks.require(universe >= 1, "universe", universe, "at least 1");
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
