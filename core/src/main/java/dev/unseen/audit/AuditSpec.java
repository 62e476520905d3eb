package dev.unseen.audit;

import dev.unseen.filter.FilterSpec;
import dev.unseen.text.Parse;
import dev.unseen.text.Require;
import java.util.Locale;

/**
 * Describes an audit: the share of the keys that it follows, and its memory.
 *
 * @param oneIn the audit follows one in this number of keys exactly, 1 to 2^32; 1 follows all keys
 * @param memoryBytes the memory for the followed keys in bytes, which is a hard cap
 */
public record AuditSpec(long oneIn, long memoryBytes) {
  /** The default memory in bytes, enough for about 50,000 keys. */
  public static final long DEFAULT_MEMORY_BYTES = 2L << 20;

  /** The least memory in bytes. */
  public static final long MIN_MEMORY_BYTES = 4096;

  private static final long MAX_ONE_IN = 1L << 32;

  /** Rejects values out of their limits. */
  public AuditSpec {
    Require.that(
        oneIn >= 1 && oneIn <= MAX_ONE_IN,
        "audit",
        "1/" + oneIn,
        "one in 1 to one in " + MAX_ONE_IN);
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

  /**
   * Returns a spec that follows one in this number of keys, for use as {@code audit(oneIn(1024))}.
   */
  public static AuditSpec oneIn(long keys) {
    return new AuditSpec(keys, DEFAULT_MEMORY_BYTES);
  }

  /** Returns a copy of this spec with this memory in bytes. */
  public AuditSpec memory(long bytes) {
    return new AuditSpec(oneIn, bytes);
  }

  /**
   * Parses a share such as {@code 1/1024}.
   *
   * @throws IllegalArgumentException if the text has another form; the message shows the expected
   *     one
   */
  public static AuditSpec parse(String share) {
    return oneIn(Parse.oneIn("audit", share));
  }

  /** Returns the share that {@link #parse} reads. It does not contain the memory. */
  public String text() {
    return "1/" + oneIn;
  }
}
