package dev.unseen.audit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that each key of a table with open addressing would be found: from the first place to look
 * for it to the place where it is, no place is free, none has the same key, and they are not too
 * many. Sees the places once, in their order, and remembers the last few of them.
 */
final class ProbeCheck {
  private record Entry(long slot, long home, long hash) {}

  private final long capacity;
  private final int most;

  // The last places, as many as may be tried for one key: which keys they have, and where.
  private final Deque<Entry> last = new ArrayDeque<>();
  private final Map<Long, Long> slotOf = new HashMap<>();
  private final List<Entry> wrapped = new ArrayList<>(); // from the end of the table to its begin
  private long lastFree = -1;

  /** Checks a table of so many places, of which this many may be tried for one key. */
  ProbeCheck(long capacity, int most) {
    this.capacity = capacity;
    this.most = most;
  }

  /** The next place is free. */
  void free(long slot) {
    lastFree = slot;
  }

  /** The next place has a key that is looked for from a place on. */
  void taken(long slot, long home, long hash) {
    Entry entry = new Entry(slot, home, hash);
    if (home > slot) {
      require(slot + capacity - home < most && lastFree < 0, slot);
      wrapped.add(entry); // the rest of its way comes at the end
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

  /** Goes the rest of the way of the keys that begin at the end of the table. */
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
