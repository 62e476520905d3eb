package dev.unseen.bench;

import dev.unseen.filter.FilterKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A contestant of the comparison.
 *
 * @param role its role in the comparison
 * @param main whether it also runs if time or memory is too short for all contestants
 * @param heapFactor the heap that it needs, in multiples of its memory
 * @param factory creates it, filled as the scenario requires
 */
record Entry(
    String name,
    EntryRole role,
    boolean main,
    double heapFactor,
    Function<Scenario, SpeedContestant> factory) {

  /**
   * The bytes of a process in addition to its heap and its contestant: code, classes, the keys of a
   * round.
   */
  private static final long ROUND = 200L << 20;

  /**
   * The heap in multiples of an array's size. An array takes whole regions of the heap, and one
   * spare region at each end.
   */
  private static final double HEAP_FACTOR = 1.15;

  /**
   * The size of the chunks of a large filter. The collector does not find room for the last chunk
   * in a heap that is nearly full.
   */
  private static final long CHUNK = 512L << 20;

  private static final long OUTSIDE_HEAP = 80L << 20;

  /** The kinds whose speed we promise something about. */
  private static final Set<FilterKind> MAIN_KINDS =
      EnumSet.of(FilterKind.RECENCY, FilterKind.RLBSBF, FilterKind.BLOOM);

  /** Returns all contestants. A new kind is included as soon as it is in the enum. */
  static List<Entry> all() {
    List<Entry> entries = new ArrayList<>();
    for (FilterKind kind : FilterKind.values()) {
      boolean main = MAIN_KINDS.contains(kind);
      entries.add(ours(kind.id() + " batch", main, s -> new OurFilter.Batch(kind, s)));
      entries.add(ours(kind.id() + " one-by-one", main, s -> new OurFilter(kind, s)));
    }
    entries.add(bloom("guava BloomFilter", Peers::guava));
    entries.add(bloom("datasketches BloomFilter", Peers::dataSketches));
    entries.add(bloom("commons-collections BloomFilter", Peers::commons));
    entries.add(bloom("spark BloomFilter", Peers::spark));
    entries.add(exact("caffeine Cache", 4, Peers::caffeine));
    entries.add(exact("fastutil LongOpenHashSet", 2.2, Peers::fastutil));
    entries.add(exact("java HashSet<Long>", 2.5, Peers::javaSet));
    entries.add(new Entry("plain loop", EntryRole.PLAIN_LOOP, true, HEAP_FACTOR, PlainLoop::new));
    Stream.of(1, 2, 4, 16).map(Entry::limit).forEach(entries::add);
    return List.copyOf(entries);
  }

  /** Returns the heap size of its process in bytes. */
  long heapBytes(Scenario scenario) {
    long used = usedBytes(scenario);
    return used > CHUNK ? used + CHUNK : used;
  }

  /**
   * Returns the memory of the machine that its process uses, in bytes, without the free part of its
   * heap.
   */
  long processBytes(Scenario scenario) {
    return usedBytes(scenario) + OUTSIDE_HEAP;
  }

  private long usedBytes(Scenario scenario) {
    return (long) (scenario.memoryBytes() * heapFactor) + ROUND;
  }

  static Entry named(String name) {
    return all().stream()
        .filter(entry -> entry.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no contestant is named '" + name + "'"));
  }

  private static Entry ours(
      String name, boolean main, Function<Scenario, SpeedContestant> factory) {
    return new Entry(name, EntryRole.OURS, main, HEAP_FACTOR, factory);
  }

  private static Entry bloom(String name, Function<Scenario, SpeedContestant> factory) {
    return new Entry(name, EntryRole.APPROXIMATE_PEER, true, 3.5, factory);
  }

  private static Entry exact(
      String name, double heapFactor, Function<Scenario, SpeedContestant> factory) {
    return new Entry(name, EntryRole.EXACT_PEER, true, heapFactor, factory);
  }

  private static Entry limit(int lines) {
    return new Entry(
        "limit of " + lines + (lines == 1 ? " line" : " lines"),
        EntryRole.LIMIT,
        true,
        HEAP_FACTOR,
        s -> new Limit(lines, s));
  }
}
