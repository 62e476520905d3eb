package dev.unseen.bits;

import dev.unseen.hash.Mix;

/**
 * The k Bloom filters of the paper ("banks"): a hash has one bit in each, and the count of ones in
 * each is kept exactly.
 *
 * <p>Partitioned, there are k banks of s = M/k bits side by side. Shared, the classic Bloom filter,
 * all k hashes lie in one bank of M bits.
 */
public final class BitBanks {
  private final Words words;
  private final int hashes;
  private final long bitsPerBank;
  private final int bankStep; // from the bank of one hash to the next: 1, or 0 if shared
  private final long stride; // the same in bits

  private final long[] ones;

  private BitBanks(int hashes, int banks, long bits) {
    this.hashes = hashes;
    this.bitsPerBank = bits / banks;
    this.bankStep = banks == 1 ? 0 : 1;
    this.stride = bankStep * bitsPerBank;
    this.ones = new long[banks];
    this.words = new Words((bitsPerBank * banks + 63) >>> 6);
  }

  /** {@code hashes} banks that share {@code bits} evenly. */
  public static BitBanks partitioned(int hashes, long bits) {
    return new BitBanks(hashes, hashes, bits);
  }

  /** One bank of {@code bits} for all hashes. */
  public static BitBanks shared(int hashes, long bits) {
    return new BitBanks(hashes, 1, bits);
  }

  /** The position of a hash's i-th bit; banks lie one after the other. */
  private long position(long hash, int i) {
    return i * stride + Mix.reduce(Mix.mix(hash + i * Mix.GOLDEN), bitsPerBank);
  }

  /** Whether all bits of a hash are set. */
  public boolean contains(long hash) {
    for (int i = 0; i < hashes; i++) {
      if (!words.getBit(position(hash, i))) {
        return false;
      }
    }
    return true;
  }

  /** Sets all bits of a hash. */
  public void set(long hash) {
    for (int i = 0; i < hashes; i++) {
      ones[bankStep * i] += words.setBit(position(hash, i));
    }
  }

  /** Sets the bit of a hash in one bank; whether it was clear. */
  public boolean setIn(int bank, long hash) {
    int changed = words.setBit(position(hash, bank));
    ones[bank] += changed;
    return changed != 0;
  }

  /** Clears a bit of a bank, which may be clear already. */
  public void reset(int bank, long bit) {
    ones[bank] -= words.clearBit(bank * bitsPerBank + bit);
  }

  /** Reads every word a hash needs, so that it is in the cache when the hash is decided on. */
  public long touch(long hash) {
    long sum = 0;
    for (int i = 0; i < hashes; i++) {
      sum += words.get(position(hash, i) >>> 6);
    }
    return sum;
  }

  /** Reads the word of a bank's bit, as {@link #touch} does. */
  public long touchBit(int bank, long bit) {
    return words.get((bank * bitsPerBank + bit) >>> 6);
  }

  /** Whether a bit of a bank is set. */
  public boolean isSet(int bank, long bit) {
    return words.getBit(bank * bitsPerBank + bit);
  }

  /** The bits of one bank: the paper's s. */
  public long bitsPerBank() {
    return bitsPerBank;
  }

  /** The ones of one bank: the paper's L(i). */
  public long ones(int bank) {
    return ones[bank];
  }

  /** The share of ones in all banks. */
  public double load() {
    long sum = 0;
    for (long n : ones) {
      sum += n;
    }
    return (double) sum / (bitsPerBank * ones.length);
  }

  /** The chance that all bits of a hash not seen before are set. */
  public double allSetChance() {
    double chance = 1;
    for (int i = 0; i < hashes; i++) {
      chance *= (double) ones[bankStep * i] / bitsPerBank;
    }
    return chance;
  }

  /** The bytes of the storage. */
  public long memoryBytes() {
    return words.length() * Long.BYTES;
  }

  /** Counts the ones anew, for those who do not trust the kept counts. */
  public long countOnes() {
    return words.countOnes();
  }
}
