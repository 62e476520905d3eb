package dev.unseen.server.store;

import dev.unseen.hash.Hash64;

/**
 * An item of a request, by its hash.
 *
 * @param hash its hash with the present secret
 * @param bytes the item itself, which a filter from before a change of the secret knows by another
 *     hash; null if there is no such filter
 */
@SuppressWarnings("ArrayRecordComponent") // items are not compared
public record Item(long hash, byte[] bytes) {
  /** What items are hashed for: a filter, or the keys of SET. */
  public interface Target {
    Hash64 hash();

    /**
     * Returns whether a filter from before a change of the secret is consulted, which knows items
     * by other hashes, so that their bytes are needed.
     */
    boolean rehashes();
  }

  /** Creates an item that no filter knows by another hash. */
  public Item(long hash) {
    this(hash, null);
  }

  /** Returns whether a filter may know it by another hash. */
  boolean canBeHashed() {
    return bytes != null;
  }

  /** Returns its hash with a hash function. */
  long hash(Hash64 function) {
    return function.hash(bytes);
  }
}
