package dev.unseen.bench;

import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.List;

/**
 * Which contestants run at once: all of them if the memory of the machine holds them, else as many
 * as it holds, with the limits in each heat.
 */
final class Heats {
  /** Left to the system and to this process. */
  private static final long RESERVE = 512L << 20;

  private final List<List<Entry>> heats = new ArrayList<>();
  private final String tooSmall; // or null

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

  /** One after the other. */
  List<List<Entry>> all() {
    return List.copyOf(heats);
  }

  /** Why it cannot be run, in a sentence; null if it can. */
  String tooSmall() {
    return tooSmall;
  }
}
