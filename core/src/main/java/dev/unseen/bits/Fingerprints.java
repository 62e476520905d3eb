package dev.unseen.bits;

/**
 * Makes fingerprints of hashes. A fingerprint is the low bits of a hash, in which some bits can be
 * replaced by the quotient: a number below a limit that is not a power of two.
 *
 * <pre>
 *   hash         ...[further bits][ s bits ][r bits]
 *   fingerprint  ...[further bits][quotient][remainder]
 * </pre>
 *
 * <p>The quotient is the s bits, times the limit, divided by 2^s. It uses six bits of the hash more
 * than it has itself, so that all quotients are equally likely within a few percent. The low bits
 * of a fingerprint are a fingerprint too, as long as they include the quotient.
 */
public final class Fingerprints {
  public static final Fingerprints LOW_BITS = new Fingerprints(0, 1);

  private static final int EVEN = 6; // bits of the hash for a quotient beyond its own bits

  private final int remainderBits;
  private final int quotients;
  private final int quotientBits;
  private final int hashBits; // the bits of the hash that make the quotient
  private final long remainderMask;
  private final long quotientMask;
  private final long hashMask;

  /** Creates fingerprints with this number of quotients, 1 to 64, above these bits. */
  public Fingerprints(int remainderBits, int quotients) {
    this.remainderBits = remainderBits;
    this.quotients = quotients;
    this.quotientBits = Integer.SIZE - Integer.numberOfLeadingZeros(quotients - 1);
    this.hashBits = quotients == 1 ? 0 : quotientBits + EVEN;
    this.remainderMask = (1L << remainderBits) - 1;
    this.quotientMask = (1L << quotientBits) - 1;
    this.hashMask = (1L << hashBits) - 1;
  }

  /** Returns the fingerprint of a hash. A line stores some of its low bits. */
  public long of(long hash) {
    long quotient = (((hash >>> remainderBits) & hashMask) * quotients) >>> hashBits;
    long further = hash >>> (remainderBits + hashBits);
    return (hash & remainderMask)
        | (quotient << remainderBits)
        | (further << (remainderBits + quotientBits));
  }

  /** Returns the bits of remainder and quotient together, the least that a line must store. */
  public int bits() {
    return remainderBits + quotientBits;
  }

  /** Returns whether a hash can have this fingerprint: its quotient is below the limit. */
  public boolean isPossible(long fingerprint) {
    return quotient(fingerprint) < quotients;
  }

  int remainderBits() {
    return remainderBits;
  }

  int quotients() {
    return quotients;
  }

  int quotient(long fingerprint) {
    return (int) ((fingerprint >>> remainderBits) & quotientMask);
  }

  long remainder(long fingerprint) {
    return fingerprint & remainderMask;
  }

  /** Returns the chance that this number of low bits is equal in two fingerprints. */
  public double chance(int width) {
    return Math.scalb(1.0 / quotients, bits() - width - remainderBits);
  }
}
