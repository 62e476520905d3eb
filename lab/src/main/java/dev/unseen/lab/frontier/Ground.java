package dev.unseen.lab.frontier;

import dev.unseen.lab.trial.HeldStream;
import java.util.Locale;

/**
 * Where all contestants meet: one stream, and the memory that each of them gets.
 *
 * @param repeats how often each setting runs, each time with other hashes of the same keys: on a
 *     short stream so few records are lost that one run may come out well by luck
 */
public record Ground(HeldStream stream, long memoryBytes, int repeats) {
  private static final long LINE = 64;

  /**
   * With so many bits for each distinct key, to the nearest 64 bytes: no structure loses a part of
   * a cache line.
   */
  public static Ground ofBitsPerKey(HeldStream stream, double bits, int repeats) {
    long lines = Math.round(bits * stream.distinct() / Byte.SIZE / LINE);
    return new Ground(stream, LINE * Math.max(1, lines), repeats);
  }

  /** The bits of memory for each distinct key. */
  public double bitsPerKey() {
    return (double) memoryBytes * Byte.SIZE / Math.max(1, stream.distinct());
  }

  /** In words. */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%s, %,d bytes, %.3g bits per distinct key",
        stream.name(),
        memoryBytes,
        bitsPerKey());
  }
}
