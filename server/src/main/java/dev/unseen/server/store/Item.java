package dev.unseen.server.store;

import dev.unseen.hash.Hash64;

/** An item of a request, by its hash. */
public final class Item {
  private final long hash;
  private final byte[] bytes;

  /** Creates an item that no filter knows by another hash. */
  public Item(long hash) {
    this(hash, null);
  }

  /**
   * Creates an item.
   *
   * @param hash its hash with the present secret
   * @param bytes the item itself, which a filter from before a change of the secret knows by
   *     another hash; null if there is no such filter
   */
  public Item(long hash, byte[] bytes) {
    this.hash = hash;
    this.bytes = bytes;
  }

  /** Returns its hash with the present secret. */
  public long hash() {
    return hash;
  }

  /** Returns the item itself; null if no filter needs it. */
  byte[] bytes() {
    return bytes;
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
