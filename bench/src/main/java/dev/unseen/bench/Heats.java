package dev.unseen.bench;

import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.List;

/**
 * Determines which contestants run at the same time: all of them if the memory is large enough,
 * otherwise as many as it holds, with the limits in each heat.
 */
final class Heats {
  /** The memory for the system and for this process, in bytes. */
  private static final long RESERVE = 512L << 20;

  private final List<List<Entry>> heats = new ArrayList<>();
  private final String tooSmall; // null if memory is large enough

  Heats(List<Entry> entries, Scenario scenario, long freeBytes) {
    List<Entry> limits = entries.stream().filter(e -> e.role() == EntryRole.LIMIT).toList();
    List<Entry> others = entries.stream().filter(e -> e.role() != EntryRole.LIMIT).toList();
    long ofLimits = limits.stream().mapToLong(e -> e.processBytes(scenario)).sum();
    long room = freeBytes - RESERVE - ofLimits;
    long largest = others.stream().mapToLong(e -> e.processBytes(scenario)).max().orElse(0);
    this.tooSmall =
        largest <= room
            ? null
            : "Skipped: %s. The limits and one contestant take %s of memory, and %s are free."
                .formatted(
                    scenario.describe(),
                    Print.bytes(ofLimits + largest + RESERVE),
                    Print.bytes(freeBytes));
    long left = 0;
    for (Entry entry : others) {
      long bytes = entry.processBytes(scenario);
      if (heats.isEmpty() || bytes > left) {
        heats.add(new ArrayList<>());
        left = room;
      }
      left -= bytes;
      heats.get(heats.size() - 1).add(entry);
    }
    if (heats.isEmpty()) {
      heats.add(new ArrayList<>());
    }
    heats.forEach(heat -> heat.addAll(limits));
  }

  List<List<Entry>> all() {
    return List.copyOf(heats);
  }

  /** Returns the reason why it cannot be run, in a sentence; null if it can. */
  String tooSmall() {
    return tooSmall;
  }
}
