package dev.unseen.lab.frontier;

import dev.unseen.lab.trial.HeldStream;
import java.util.Locale;

/**
 * A stream and a memory, in which all contestants are compared.
 *
 * @param repeats the number of runs of each setting, each with different hashes of the same keys:
 *     on a short stream so few records are lost that one run may be good by chance
 */
public record Ground(HeldStream stream, long memoryBytes, int repeats) {
  private static final long LINE = 64;

  /**
   * Returns a ground with this number of bits per distinct key, rounded to 64 bytes, so that no
   * structure loses a part of a cache line.
   */
  public static Ground ofBitsPerKey(HeldStream stream, double bits, int repeats) {
    long lines = Math.round(bits * stream.distinct() / Byte.SIZE / LINE);
    return new Ground(stream, LINE * Math.max(1, lines), repeats);
  }

  public double bitsPerKey() {
    return (double) memoryBytes * Byte.SIZE / Math.max(1, stream.distinct());
  }

  public String describe() {
    return String.format(
        Locale.ROOT,
        "%s, %,d bytes, %.3g bits per distinct key",
        stream.name(),
        memoryBytes,
        bitsPerKey());
  }
}
