package dev.unseen.lab.stream;

/**
 * Another stream with noise: keys that come only once, spread evenly among its records. Record i is
 * noise if the integer part of {@code share * i} grows at it, so any record can be computed alone.
 */
public final class NoisyStream implements SyntheticStream {
  private final SyntheticStream base;
  private final double share;
  private final long records;

  /**
   * Creates a stream of all records of another stream, and noise that makes up this share of all
   * records.
   */
  public NoisyStream(SyntheticStream base, double share) {
    Limits.share("noise", share);
    this.base = base;
    this.share = share;
    long all = (long) (base.records() / (1 - share));
    while (all - noiseBefore(all) > base.records()) {
      all--;
    }
    while (all - noiseBefore(all) < base.records()) {
      all++;
    }
    this.records = all;
  }

  /** Returns the number of records without noise in a stream with this share of noise. */
  public static long without(double share, long records) {
    Limits.share("noise", share);
    return records - (long) (share * records);
  }

  private long noiseBefore(long i) {
    return (long) (share * i);
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long keySpace() {
    return base.keySpace() + noiseBefore(records);
  }

  @Override
  public long key(long i) {
    long noise = noiseBefore(i);
    return noiseBefore(i + 1) > noise ? base.keySpace() + noise : base.key(i - noise);
  }
}
