package dev.unseen.server.store;

import java.util.Arrays;

/**
 * Items that are decided together, by their hashes. The items themselves are kept only if a filter
 * from before a change of the secret is consulted, which knows them by other hashes.
 */
public final class Items {
  private final long[] hashes;
  private byte[][] bytes; // null: no item has its bytes
  private int count;

  public Items(int most) {
    hashes = new long[most];
  }

  /** Creates a batch of items by their hashes, which no filter knows by others. */
  public static Items of(long... hashes) {
    Items all = new Items(hashes.length);
    for (long hash : hashes) {
      all.add(hash, null);
    }
    return all;
  }

  /** Creates a batch of one item. */
  public static Items of(Item item) {
    Items one = new Items(1);
    one.add(item.hash(), item.bytes());
    return one;
  }

  /**
   * Adds an item.
   *
   * @param item the item itself; null if no filter needs it: see {@link Item.Target#rehashes}
   */
  public void add(long hash, byte[] item) {
    if (item != null) {
      if (bytes == null) {
        bytes = new byte[hashes.length][];
      }
      bytes[count] = item;
    }
    hashes[count++] = hash;
  }

  public void clear() {
    count = 0;
    bytes = null;
  }

  public int count() {
    return count;
  }

  /** Returns the hashes with the present secret; those after the last item mean nothing. */
  long[] hashes() {
    return hashes;
  }

  /** Returns whether a filter may know one of the items by another hash. */
  boolean canBeHashed() {
    return bytes != null;
  }

  public Item get(int index) {
    return new Item(hashes[index], bytes == null ? null : bytes[index]);
  }

  /** Returns the items whose bit is not set, in their order. */
  Items without(long[] bits) {
    Items rest = new Items(count);
    for (int i = 0; i < count; i++) {
      if (((bits[i >>> 6] >>> i) & 1) == 0) {
        rest.add(hashes[i], bytes == null ? null : bytes[i]);
      }
    }
    return rest;
  }

  /** Removes the bytes of all items: no filter knows them by other hashes. */
  Items hashesOnly() {
    bytes = null;
    return this;
  }

  /**
   * Returns answers for all items, given those for the items {@link #without} these bits; the
   * others have the answer 0.
   */
  void spread(long[] answers, long[] bits, long[] to) {
    Arrays.fill(to, 0, words(count), 0);
    for (int i = 0, from = 0; i < count; i++) {
      if (((bits[i >>> 6] >>> i) & 1) == 0) {
        to[i >>> 6] |= ((answers[from >>> 6] >>> from) & 1) << i;
        from++;
      }
    }
  }

  /** Returns the number of words that have a bit for each of this number of items. */
  public static int words(int items) {
    return (items + Long.SIZE - 1) / Long.SIZE;
  }
}
