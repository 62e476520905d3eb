package dev.unseen.lab.stream;

import dev.unseen.text.Require;

/** Another stream several times, one after the other: a day's log that is ingested again. */
public record RepeatedStream(SyntheticStream once, int times) implements SyntheticStream {
  /** Checks the number of times. */
  public RepeatedStream {
    Require.that(times >= 1, "times", times, "at least 1");
  }

  @Override
  public long records() {
    return times * once.records();
  }

  @Override
  public long keySpace() {
    return once.keySpace();
  }

  @Override
  public long key(long i) {
    return once.key(i % once.records());
  }
}
