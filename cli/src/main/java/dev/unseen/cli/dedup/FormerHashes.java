package dev.unseen.cli.dedup;

import dev.unseen.hash.Hash64;
import java.util.Arrays;
import java.util.List;

/**
 * The hashes of a batch's keys with the hash functions from before a change of the secret, which
 * the filters from before that change know.
 */
final class FormerHashes {
  private final List<Hash64> functions;
  private final long[][] hashes;

  FormerHashes(List<Hash64> functions, int size) {
    this.functions = functions;
    this.hashes = new long[functions.size()][size];
  }

  void put(int record, byte[] key, int from, int length) {
    for (int i = 0; i < hashes.length; i++) {
      if (record >= hashes[i].length) {
        hashes[i] = Arrays.copyOf(hashes[i], 2 * record);
      }
      hashes[i][record] = functions.get(i).hash(key, from, length);
    }
  }

  /** Returns the hash of a record's key with one of the functions. */
  long of(int record, Hash64 function) {
    return hashes[functions.indexOf(function)][record];
  }
}
