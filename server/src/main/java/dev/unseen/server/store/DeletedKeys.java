package dev.unseen.server.store;

/**
 * The list of keys that were deleted, each with the times that {@link SetKeys} explains: a hash
 * table in three arrays, 32 to 64 bytes for each key as it grows.
 */
final class DeletedKeys {
  private static final int LEAST_SLOTS = 16;

  /** What is known of a key. */
  record Times(long forgottenBy, long setUntil) {
    long end() {
      return Math.max(forgottenBy, setUntil);
    }
  }

  /** Takes a key and its times. */
  interface Visitor {
    void visit(long key, long forgottenBy, long setUntil);
  }

  private long[] keys = new long[LEAST_SLOTS];
  private long[] forgottenBy = new long[LEAST_SLOTS];
  private long[] setUntil = new long[LEAST_SLOTS]; // a slot is empty if both times are 0 or less
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the times of a key; null if it is not in the list. */
  Times get(long key) {
    int slot = slotOf(key);
    return end(slot) <= 0 ? null : new Times(forgottenBy[slot], setUntil[slot]);
  }

  /** Puts a key into the list, or changes its times. With times of 0 it leaves the list. */
  void put(long key, Times times, long now) {
    if (times.end() <= 0) {
      remove(key);
      return;
    }
    if (end(slotOf(key)) <= 0) {
      makeRoom(now);
      size++;
    }
    set(slotOf(key), key, times.forgottenBy, times.setUntil);
  }

  void remove(long key) {
    int slot = slotOf(key);
    if (end(slot) > 0) {
      size--;
      close(slot);
    }
  }

  /** Empties a slot, and moves into it what is behind it and could not be found any more. */
  private void close(int emptied) {
    int mask = keys.length - 1;
    int hole = emptied;
    set(hole, 0, 0, 0);
    for (int i = (hole + 1) & mask; end(i) > 0; i = (i + 1) & mask) {
      int home = (int) keys[i] & mask;
      if (((i - home) & mask) >= ((i - hole) & mask)) {
        set(hole, keys[i], forgottenBy[i], setUntil[i]);
        set(i, 0, 0, 0);
        hole = i;
      }
    }
  }

  /** Removes the keys whose times have passed. */
  void removeEnded(long now) {
    for (int i = 0; i < keys.length; i++) {
      if (end(i) > 0 && end(i) <= now) {
        rebuild(keys.length, now);
        return;
      }
    }
  }

  private void makeRoom(long now) {
    if (4 * (size + 1) > 3 * keys.length) {
      removeEnded(now);
      if (2 * (size + 1) > keys.length) {
        rebuild(2 * keys.length, now);
      }
    }
  }

  private void rebuild(int slots, long now) {
    DeletedKeys other = new DeletedKeys();
    other.keys = new long[slots];
    other.forgottenBy = new long[slots];
    other.setUntil = new long[slots];
    for (int i = 0; i < keys.length; i++) {
      if (end(i) > now && end(i) > 0) {
        other.set(other.slotOf(keys[i]), keys[i], forgottenBy[i], setUntil[i]);
        other.size++;
      }
    }
    keys = other.keys;
    forgottenBy = other.forgottenBy;
    setUntil = other.setUntil;
    size = other.size;
  }

  void forEach(Visitor visitor) {
    for (int i = 0; i < keys.length; i++) {
      if (end(i) > 0) {
        visitor.visit(keys[i], forgottenBy[i], setUntil[i]);
      }
    }
  }

  void clear() {
    rebuild(LEAST_SLOTS, Long.MAX_VALUE);
  }

  /** Returns the slot of a key, or the empty one where it would be. */
  private int slotOf(long key) {
    int mask = keys.length - 1;
    int slot = (int) key & mask; // keys are hashes
    while (end(slot) > 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private long end(int slot) {
    return Math.max(forgottenBy[slot], setUntil[slot]);
  }

  private void set(int slot, long key, long forgotten, long until) {
    keys[slot] = key;
    forgottenBy[slot] = forgotten;
    setUntil[slot] = until;
  }
}
