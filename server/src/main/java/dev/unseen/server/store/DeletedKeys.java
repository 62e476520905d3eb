package dev.unseen.server.store;

import java.util.HashMap;
import java.util.Map;

/** The list of deleted keys, by their hashes, each with the times that {@link SetKeys} explains. */
final class DeletedKeys {
  private final Map<Long, Times> keys = new HashMap<>();

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

  int size() {
    return keys.size();
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /** Returns the times of a key; null if it is not in the list. */
  Times get(long key) {
    return keys.get(key);
  }

  /** Adds a key, or removes it if its times have ended. */
  void put(long key, Times times, long now) {
    if (times.end() <= now) {
      keys.remove(key);
    } else {
      keys.put(key, times);
    }
  }

  void remove(long key) {
    keys.remove(key);
  }

  void removeEnded(long now) {
    keys.values().removeIf(times -> times.end() <= now);
  }

  void forEach(Visitor visitor) {
    keys.forEach((key, times) -> visitor.visit(key, times.forgottenBy(), times.setUntil()));
  }

  void clear() {
    keys.clear();
  }
}
