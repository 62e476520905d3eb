package dev.unseen.audit.shadow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that each key of a hash table with open addressing would be found: between the first place
 * to look for a key and its actual place, no place is free, none has the same key, and there are
 * not too many places. It sees each place once, in order, and remembers only the last few.
 */
final class ProbeCheck {
  private record Entry(long slot, long home, long hash) {}

  private final long capacity;
  private final int most;

  // The last places, as many as may be tried for one key, with their keys.
  private final Deque<Entry> last = new ArrayDeque<>();
  private final Map<Long, Long> slotOf = new HashMap<>();
  private final List<Entry> wrapped =
      new ArrayList<>(); // keys whose way leads from the end of the table to its beginning
  private long lastFree = -1;

  ProbeCheck(long capacity, int most) {
    this.capacity = capacity;
    this.most = most;
  }

  void free(long slot) {
    lastFree = slot;
  }

  /** Records that the next place has a key, for which the search begins at this home. */
  void taken(long slot, long home, long hash) {
    Entry entry = new Entry(slot, home, hash);
    if (home > slot) {
      require(slot + capacity - home < most && lastFree < 0, slot);
      wrapped.add(entry); // the rest of its way is checked at the end
    } else {
      require(slot - home < most && lastFree < home, slot);
    }
    require(!slotOf.containsKey(hash), slot);
    remember(entry);
  }

  private void remember(Entry entry) {
    last.add(entry);
    slotOf.put(entry.hash(), entry.slot());
    while (last.element().slot() <= entry.slot() - most) {
      Entry old = last.remove();
      slotOf.remove(old.hash(), old.slot());
    }
  }

  /** Checks the rest of the way of the keys that wrapped around the end of the table. */
  void end() {
    for (Entry entry : wrapped) {
      require(lastFree < entry.home(), entry.slot());
      require(slotOf.getOrDefault(entry.hash(), entry.slot()) == entry.slot(), entry.slot());
    }
  }

  private static void require(boolean holds, long slot) {
    if (!holds) {
      throw new IllegalArgumentException(
          "the key in entry %d of the audit would not be found there".formatted(slot));
    }
  }
}
