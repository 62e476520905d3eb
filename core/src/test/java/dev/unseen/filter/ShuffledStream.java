package dev.unseen.filter;

import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;

/**
 * The paper's data set, small enough to be an array: D keys each at least once, the other records
 * uniform over them, all shuffled.
 */
final class ShuffledStream {
  private final int[] keys;
  private final int distinct;
  private final Hash64 hash;

  ShuffledStream(int records, int distinct, long seed) {
    this.keys = new int[records];
    this.distinct = distinct;
    this.hash = HashKind.XXH3.create(seed);
    SplitMix64 random = new SplitMix64(seed);
    for (int i = 0; i < records; i++) {
      keys[i] = i < distinct ? i : (int) random.below(distinct);
    }
    for (int i = records - 1; i > 0; i--) {
      int j = (int) random.below(i + 1L);
      int swap = keys[i];
      keys[i] = keys[j];
      keys[j] = swap;
    }
  }

  /** Runs all records through a filter and counts its errors against the exact truth. */
  Errors run(DuplicateFilter filter) {
    long[] hashes = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      hashes[i] = hash.hash(keys[i]);
    }
    long[] fresh = new long[(keys.length + 63) / 64];
    filter.admitAll(hashes, 0, hashes.length, fresh);
    boolean[] seen = new boolean[distinct];
    long falsePositives = 0;
    long falseNegatives = 0;
    for (int i = 0; i < keys.length; i++) {
      boolean admitted = ((fresh[i >>> 6] >>> i) & 1) != 0;
      falsePositives += !seen[keys[i]] && !admitted ? 1 : 0;
      falseNegatives += seen[keys[i]] && admitted ? 1 : 0;
      seen[keys[i]] = true;
    }
    return new Errors(distinct, keys.length - distinct, falsePositives, falseNegatives);
  }

  /** Conditional rates: of the distinct records, and of the duplicate records. */
  record Errors(long distinct, long duplicates, long falsePositives, long falseNegatives) {
    double fpr() {
      return (double) falsePositives / distinct;
    }

    double fnr() {
      return (double) falseNegatives / duplicates;
    }
  }
}
