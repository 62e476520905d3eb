package dev.unseen.server.store;

/**
 * The list of deleted keys, by their hashes, each with the times that {@link SetKeys} explains. Its
 * memory counts in the budget.
 *
 * <p>It is a hash table with open addressing and three numbers per slot, because objects would take
 * five times the memory: the key, and both of its times, which are 0 in a free slot.
 */
final class DeletedKeys {
  private static final int FIELDS = 3;
  private static final int LEAST_SLOTS = 64;

  private final MemoryBudget budget;
  private long[] slots = new long[FIELDS * LEAST_SLOTS];
  private int size;

  /** The times of a deleted key. */
  record Times(long forgottenBy, long setUntil) {
    long end() {
      return Math.max(forgottenBy, setUntil);
    }
  }

  /** Receives a key and its times. */
  interface Visitor {
    void visit(long key, long forgottenBy, long setUntil);
  }

  DeletedKeys(MemoryBudget budget) {
    this.budget = budget;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  private static long end(long[] slots, int slot) {
    return Math.max(slots[slot + 1], slots[slot + 2]);
  }

  /** Returns the slot in which a search for a key begins; keys are hashes. */
  private static int home(long[] slots, long key) {
    return FIELDS * (int) Long.remainderUnsigned(key, slots.length / FIELDS);
  }

  private static int next(long[] slots, int slot) {
    return slot + FIELDS == slots.length ? 0 : slot + FIELDS;
  }

  /** Returns the slot of a key, or the free one in which it belongs. */
  private static int find(long[] slots, long key) {
    int slot = home(slots, key);
    while (end(slots, slot) != 0 && slots[slot] != key) {
      slot = next(slots, slot);
    }
    return slot;
  }

  /** Returns the times of a key; null if it is not in the list. */
  Times get(long key) {
    int slot = find(slots, key);
    return end(slots, slot) == 0 ? null : new Times(slots[slot + 1], slots[slot + 2]);
  }

  /**
   * Adds a key, or removes it if its times have ended.
   *
   * @throws StoreException if there is no memory for a larger list
   */
  void put(long key, Times times, long now) {
    if (times.end() <= now) {
      remove(key);
      return;
    }
    int slot = find(slots, key);
    if (end(slots, slot) == 0) {
      if (3L * FIELDS * (size + 1) > 2L * slots.length) {
        resize(2 * slots.length, 0);
        slot = find(slots, key);
      }
      size++;
    }
    set(slots, slot, key, times.forgottenBy(), times.setUntil());
  }

  private static void set(long[] slots, int slot, long key, long forgottenBy, long setUntil) {
    slots[slot] = key;
    slots[slot + 1] = forgottenBy;
    slots[slot + 2] = setUntil;
  }

  /** Removes a key, and moves those after it to where a search finds them. */
  void remove(long key) {
    int free = find(slots, key);
    if (end(slots, free) == 0) {
      return;
    }
    size--;
    int length = slots.length;
    for (int slot = next(slots, free); end(slots, slot) != 0; slot = next(slots, slot)) {
      int home = home(slots, slots[slot]);
      if (Math.floorMod(slot - home, length) >= Math.floorMod(slot - free, length)) {
        set(slots, free, slots[slot], slots[slot + 1], slots[slot + 2]);
        free = slot;
      }
    }
    set(slots, free, 0, 0, 0);
  }

  /** Removes the keys whose times have ended, and the memory that the others do not need. */
  void removeEnded(long now) {
    int live = 0;
    for (int slot = 0; slot < slots.length; slot += FIELDS) {
      live += end(slots, slot) > now ? 1 : 0;
    }
    int length = Math.min(slots.length, FIELDS * Math.max(LEAST_SLOTS, 2 * live));
    if (live < size || length < slots.length) {
      resize(length, now);
    }
  }

  private void resize(int length, long now) {
    long more = (long) Long.BYTES * (length - slots.length);
    if (more > 0) {
      budget.take(more, "the list of deleted keys");
    } else {
      budget.release(-more);
    }
    long[] larger = new long[length];
    size = 0;
    for (int slot = 0; slot < slots.length; slot += FIELDS) {
      if (end(slots, slot) > now) {
        int to = find(larger, slots[slot]);
        set(larger, to, slots[slot], slots[slot + 1], slots[slot + 2]);
        size++;
      }
    }
    slots = larger;
  }

  void forEach(Visitor visitor) {
    for (int slot = 0; slot < slots.length; slot += FIELDS) {
      if (end(slots, slot) != 0) {
        visitor.visit(slots[slot], slots[slot + 1], slots[slot + 2]);
      }
    }
  }

  void clear() {
    removeEnded(Long.MAX_VALUE);
  }
}
