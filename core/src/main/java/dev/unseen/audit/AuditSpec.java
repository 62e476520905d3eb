package dev.unseen.audit;

import dev.unseen.filter.FilterSpec;
import dev.unseen.text.Parse;
import java.util.Locale;

/**
 * How closely a filter is watched.
 *
 * @param oneIn of so many keys, one is followed exactly; 1 follows all
 * @param memoryBytes the bytes that the followed keys may take: a hard cap
 */
public record AuditSpec(long oneIn, long memoryBytes) {
  /** Room for some 50,000 keys. */
  public static final long DEFAULT_MEMORY_BYTES = 2L << 20;

  /** The least memory. */
  public static final long MIN_MEMORY_BYTES = 4096;

  /** Refuses what cannot be followed. */
  public AuditSpec {
    if (oneIn < 1 || oneIn > 1L << 32) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "audit of one in %,d keys must be 1 to %,d", oneIn, 1L << 32));
    }
    if (memoryBytes < MIN_MEMORY_BYTES || memoryBytes > FilterSpec.MAX_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "memory of the audit (%,d bytes) must be %,d to %,d bytes",
              memoryBytes,
              MIN_MEMORY_BYTES,
              FilterSpec.MAX_MEMORY_BYTES));
    }
  }

  /** Follows one in so many keys: {@code audit(oneIn(1024))}. */
  public static AuditSpec oneIn(long keys) {
    return new AuditSpec(keys, DEFAULT_MEMORY_BYTES);
  }

  /** The same with so much memory. */
  public AuditSpec memory(long bytes) {
    return new AuditSpec(oneIn, bytes);
  }

  /**
   * Reads {@code 1/1024}.
   *
   * @throws IllegalArgumentException if it has another form; the message tells the form
   */
  public static AuditSpec parse(String share) {
    return oneIn(Parse.oneIn("audit", share));
  }
}
