package dev.unseen.plan.stream;

import dev.unseen.text.Require;

/**
 * A stream of new keys, and of repeats at given distances: y(w) = 1 - share * P(distance is at most
 * w).
 */
record RepeatingStreamModel(double records, double repeatShare, RepeatDistances distances)
    implements StreamModel {
  RepeatingStreamModel {
    Require.that(records >= 1, "records", records, "at least 1");
    Require.that(
        repeatShare >= 0 && repeatShare < 1, "repeat share", repeatShare, "at least 0, below 1");
  }

  @Override
  public double unseen(double window) {
    return 1 - repeatShare * distances.within(window);
  }

  @Override
  public double distinct(double window) {
    return (1 - repeatShare) * window + repeatShare * distances.meanUpTo(window);
  }

  @Override
  public boolean exchangeable() {
    return false;
  }

  @Override
  public boolean recencyTellsAll() {
    return true;
  }
}
