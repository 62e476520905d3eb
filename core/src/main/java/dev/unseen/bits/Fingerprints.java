package dev.unseen.bits;

/**
 * Makes fingerprints of hashes: the low bits of a hash, except that some of them can be replaced by
 * a number below a limit that is no power of two, the quotient.
 *
 * <pre>
 *   hash         ...[further bits][ s bits ][r bits]
 *   fingerprint  ...[further bits][quotient][remainder]
 * </pre>
 *
 * <p>The quotient is the s bits, times the limit, divided by 2^s. It takes six bits of the hash
 * more than it has itself, so that all quotients are equally likely but for some percent. The low
 * bits of a fingerprint are a fingerprint too, as long as the quotient is among them.
 */
public final class Fingerprints {
  /** The plain low bits of the hash. */
  public static final Fingerprints LOW_BITS = new Fingerprints(0, 1);

  private static final int EVEN = 6; // more bits of the hash for a quotient than it has itself

  private final int remainderBits;
  private final int quotients;
  private final int quotientBits;
  private final int hashBits; // of which the quotient is made
  private final long remainderMask;
  private final long quotientMask;
  private final long hashMask;

  /**
   * With a quotient.
   *
   * @param remainderBits the bits below it
   * @param quotients how many there are, 1 to 64
   */
  public Fingerprints(int remainderBits, int quotients) {
    this.remainderBits = remainderBits;
    this.quotients = quotients;
    this.quotientBits = Integer.SIZE - Integer.numberOfLeadingZeros(quotients - 1);
    this.hashBits = quotients == 1 ? 0 : quotientBits + EVEN;
    this.remainderMask = (1L << remainderBits) - 1;
    this.quotientMask = (1L << quotientBits) - 1;
    this.hashMask = (1L << hashBits) - 1;
  }

  /** The fingerprint of a hash, of which a line keeps some low bits. */
  public long of(long hash) {
    long quotient = (((hash >>> remainderBits) & hashMask) * quotients) >>> hashBits;
    long further = hash >>> (remainderBits + hashBits);
    return (hash & remainderMask)
        | (quotient << remainderBits)
        | (further << (remainderBits + quotientBits));
  }

  /** The bits of the remainder and the quotient together: what a line has to keep at least. */
  public int bits() {
    return remainderBits + quotientBits;
  }

  /** Whether a hash can have this fingerprint: whether its quotient is below the limit. */
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

  /** The chance that so many low bits of two fingerprints are equal. */
  public double chance(int width) {
    return Math.scalb(1.0 / quotients, bits() - width - remainderBits);
  }
}
