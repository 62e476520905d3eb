package dev.unseen.filter.recency;

import dev.unseen.bits.BitRank;
import dev.unseen.bits.Lanes;
import dev.unseen.state.StorageCheck;

/**
 * The lines of a filter with a window. The keys of a line are in the order of their ages, the
 * latest first, and a map in the header contains the age of each.
 *
 * <pre>
 * a line:    [latest key]...[oldest key][free][header]
 * a header:  [map: one bit per lane, one per group][level 4][stamp 8], the highest bits of the last word
 *
 * map, from the lowest bit on: a 1 for each key of the latest group, a 0, a 1 for each key of the group
 *   before, a 0, and so on: the age of a key, in groups, is the number of zeros below its bit
 * as a group passes, the map moves up by one bit; the stamp is the group in which it last did, modulo 256
 * </pre>
 *
 * <p>Time is counted in steps of an eighth of the window. A group is one step; if records may be
 * late by many windows, it is a power of two of steps, and each lane has a note with the step
 * within its group. A map takes as many bits as there are lanes and groups, which is about two bits
 * per lane; counts per group took three. (It is the upper half of an Elias-Fano sequence.)
 */
final class WindowLines {
  private static final int HEADER_WORD = LineFilter.HEADER_WORD;

  private static final int STAMP_BITS = 8;
  private static final int LEVEL_BITS = 4;
  private static final int STAMP_MASK = (1 << STAMP_BITS) - 1;
  private static final int LEVEL_MASK = (1 << LEVEL_BITS) - 1;

  private static final int MOST_MAP_BITS = Long.SIZE - LEVEL_BITS - STAMP_BITS;

  private final Lanes[] shapes;
  private final int capacity;
  private final int groups;
  private final int noteBits;
  private final int shift; // of the header in its word
  private final int levelShift;
  private final int stampShift;
  private final long mapMask;
  private final long[] copy = new long[Lanes.WORDS]; // room for a line while it is narrowed

  WindowLines(LineForm form, WindowLayout layout) {
    this.shapes = form.shapes();
    this.capacity = form.narrowest().count();
    this.groups = layout.groups();
    this.noteBits = layout.noteBits();
    int mapBits = capacity + groups;
    this.shift = Long.SIZE - headerBits(capacity, groups);
    this.levelShift = mapBits;
    this.stampShift = mapBits + LEVEL_BITS;
    this.mapMask = BitRank.below(mapBits);
  }

  static int headerBits(int lanes, int groups) {
    return lanes + groups + LEVEL_BITS + STAMP_BITS;
  }

  int capacity() {
    return capacity;
  }

  long header(long[] line, int at) {
    return line[at + HEADER_WORD] >>> shift;
  }

  /** Writes the header of a line, and leaves the lanes as they are. */
  void setHeader(long[] line, int at, long header) {
    long lanes = line[at + HEADER_WORD] & ((1L << shift) - 1);
    line[at + HEADER_WORD] = header << shift | lanes;
  }

  /** Returns the header that the last word of a line contains. */
  long headerOf(long lastWord) {
    return lastWord >>> shift;
  }

  int level(long header) {
    return (int) (header >>> levelShift) & LEVEL_MASK;
  }

  int used(long header) {
    return Long.bitCount(header & mapMask);
  }

  long empty(long group) {
    return (group & STAMP_MASK) << stampShift;
  }

  /** Returns the header with its group replaced. */
  long moved(long header, long group) {
    return (header & BitRank.below(stampShift)) | empty(group);
  }

  /** Returns the header of a line in this group, given its header before. Old lanes are dropped. */
  long at(long group, long before) {
    long passed = (group - (before >>> stampShift)) & STAMP_MASK;
    if (passed == 0) {
      return before;
    }
    long map = before & mapMask;
    if (passed >= groups || map == 0) {
      return empty(group);
    }
    int end = BitRank.select(~map, groups - 1 - (int) passed);
    long kept = (map & BitRank.below(end)) << passed;
    // An empty line starts wide again.
    return kept == 0 ? empty(group) : empty(group) | (long) level(before) << levelShift | kept;
  }

  long inUse(long header) {
    return shapes[level(header)].first(used(header));
  }

  /** Returns a lane of a set that contains a fingerprint, or -1 if none does. */
  int find(long[] line, int at, long header, long fingerprint, long lanes) {
    return shapes[level(header)].find(line, at, fingerprint, lanes);
  }

  /** Returns the step of the key in a lane, given the group that the header is in. */
  long step(long[] line, int at, long header, int lane, long group) {
    int age = BitRank.select(header & mapMask, lane) - lane;
    long first = (group - age) << noteBits;
    return noteBits == 0 ? first : first | shapes[level(header)].note(line, at, lane);
  }

  /**
   * Returns a number that is lower for the line with more room: fewer keys, or as many older ones.
   */
  long rank(long header) {
    long map = header & mapMask;
    return ((long) Long.bitCount(map) << MOST_MAP_BITS) - map;
  }

  /** Adds a key to a line with room, whose lanes are narrowed if necessary. Returns the header. */
  long add(long[] line, int at, long header, long fingerprint, long step, long group) {
    long now = header;
    int used = used(header);
    int level = level(header);
    if (used == shapes[level].count()) {
      level++;
      now += 1L << levelShift;
      System.arraycopy(line, at, copy, 0, Lanes.WORDS);
      shapes[level].narrow(line, at, shapes[level - 1], copy, 0);
    }
    return insert(line, at, now, fingerprint, step, group, used);
  }

  /** Adds a key in place of the oldest, unless it would be that itself. Returns the header. */
  long replaceOldest(long[] line, int at, long header, long fingerprint, long step, long group) {
    long oldest = Long.highestOneBit(header & mapMask);
    return group - (step >> noteBits) > oldestAge(header)
        ? header
        : insert(line, at, header ^ oldest, fingerprint, step, group, capacity - 1);
  }

  /** Returns the age of the oldest key of a line that has keys, in groups. */
  int oldestAge(long header) {
    long map = header & mapMask;
    return Long.SIZE - Long.numberOfLeadingZeros(map) - Long.bitCount(map);
  }

  /** Moves the key in a lane to this step, which is later than its own. Returns the header. */
  long move(long[] line, int at, long header, int lane, long fingerprint, long step, long group) {
    long map = header & mapMask;
    long rest = header ^ map ^ BitRank.without(map, BitRank.select(map, lane));
    return insert(line, at, rest, fingerprint, step, group, lane);
  }

  /** Inserts a key of this step and overwrites the lane {@code last}. */
  private long insert(
      long[] line, int at, long header, long fingerprint, long step, long group, int last) {
    int age = (int) (group - (step >> noteBits));
    int begin = beginOf(header, age);
    long map = header & mapMask;
    long with = BitRank.withZero(map, begin) | 1L << begin;
    Lanes lanes = shapes[level(header)];
    long value = noteBits == 0 ? fingerprint : lanes.with(fingerprint, noteOf(step));
    lanes.insert(line, at, begin - age, last, value);
    return header ^ map ^ with;
  }

  private long noteOf(long step) {
    return step & BitRank.below(noteBits);
  }

  /** Returns the bit of the map at which a group of this age begins. */
  private int beginOf(long header, long age) {
    return age == 0 ? 0 : BitRank.select(~(header & mapMask), (int) age - 1) + 1;
  }

  /** Writes a line from keys, the latest of which come first, and their steps. */
  void write(
      long[] line, int at, long[] prints, long[] steps, int count, int leastLevel, long group) {
    int level = leastLevel;
    while (shapes[level].count() < count) {
      level++;
    }
    for (int i = 0; i < Lanes.WORDS; i++) {
      line[at + i] = 0;
    }
    long map = 0;
    for (int lane = 0; lane < count; lane++) {
      shapes[level].set(line, at, lane, shapes[level].with(prints[lane], noteOf(steps[lane])));
      map |= 1L << (lane + (int) (group - (steps[lane] >> noteBits)));
    }
    setHeader(line, at, empty(group) | (long) (count == 0 ? 0 : level) << levelShift | map);
  }

  long print(long[] line, int at, long header, int lane) {
    Lanes lanes = shapes[level(header)];
    return lanes.get(line, at, lane) & BitRank.below(lanes.width());
  }

  /** Rejects a header that no line can have. */
  void check(long header) {
    StorageCheck.requireBetween("level", level(header), 0, shapes.length - 1);
    int lanes = shapes[level(header)].count();
    int used = used(header);
    StorageCheck.requireBetween("lanes in use", used, 0, lanes);
    int oldest = used == 0 ? 0 : oldestAge(header);
    StorageCheck.requireBetween("age of the oldest key", oldest, 0, groups - 1);
  }
}
