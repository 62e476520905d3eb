package dev.unseen.lab.stream;

/** Another stream several times, one after the other: a day's log that is ingested again. */
public final class RepeatedStream implements SyntheticStream {
  private final SyntheticStream once;
  private final int times;

  /** Creates a stream that repeats another stream this number of times. */
  public RepeatedStream(SyntheticStream once, int times) {
    if (times < 1) {
      throw new IllegalArgumentException("times (%d) must be at least 1".formatted(times));
    }
    this.once = once;
    this.times = times;
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
