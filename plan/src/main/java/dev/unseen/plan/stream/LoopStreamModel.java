package dev.unseen.plan.stream;

import dev.unseen.text.Require;
import java.util.OptionalDouble;

/**
 * A stream that goes round N keys in the same order. A key does not occur twice among N consecutive
 * records.
 */
record LoopStreamModel(double records, double keys) implements StreamModel {
  LoopStreamModel {
    Require.that(records >= 1 && records < 1e18, "records", records, "1 to 1e18");
    Require.that(keys >= 1 && keys <= records, "keys", keys, "at least 1 and at most the records");
  }

  @Override
  public double unseen(double window) {
    return window < keys ? 1 : 0;
  }

  @Override
  public double distinct(double window) {
    return Math.min(window, keys);
  }

  @Override
  public boolean exchangeable() {
    return false;
  }

  @Override
  public OptionalDouble period() {
    return OptionalDouble.of(keys);
  }
}
