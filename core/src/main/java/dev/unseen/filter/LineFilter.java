package dev.unseen.filter;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.StateVisitor;
import dev.unseen.bits.Words;
import dev.unseen.hash.Mix;
import java.io.IOException;
import java.util.Arrays;

/**
 * What the filters over lines of fingerprints share. A hash belongs to one line of 512 bits, and
 * its fingerprint is in one of the line's lanes if it was seen: one access to memory per record.
 *
 * <p>A line narrows its fingerprints as it fills (see {@link Narrowing}): all lanes are cut to
 * their low bits, which makes room for more of them. That happens line by line, a few times in the
 * life of each, so there is no pause.
 */
abstract class LineFilter extends BatchingFilter {
  /** The shapes of a line by its level, the widest lanes first. */
  final Lanes[] shapes;

  /** The most lanes of a line. */
  final int capacity;

  final long lines;
  final Words words;
  private final long[] used; // lanes in use, by level
  private final long[] unpacked;

  LineFilter(FilterSpec spec, int headerBits) {
    super(spec);
    this.shapes = Narrowing.shapes(headerBits, spec.maxFpr());
    this.capacity = shapes[shapes.length - 1].count();
    this.lines = spec.lines();
    this.words = new Words(lines * Lanes.WORDS);
    this.used = new long[shapes.length];
    this.unpacked = new long[capacity];
  }

  /** A filter that remembers more shows that first. */
  @Override
  public void state(StateVisitor visitor) throws IOException {
    for (int level = 0; level < used.length; level++) {
      used[level] = visitor.number("lanes in use", used[level], 0, lines * capacity);
    }
    visitor.words(words);
  }

  /** Joins a line of another filter into that of this one, and counts the lanes. */
  abstract void mergeLine(long[] line, int at, LineFilter other, long[] from, int fromAt);

  @Override
  final void merge(BatchingFilter filter) {
    LineFilter other = (LineFilter) filter;
    mergeNumbers(other);
    Arrays.fill(used, 0);
    for (long line = 0; line < lines; line++) {
      long first = line * Lanes.WORDS;
      int at = Words.inChunk(first);
      mergeLine(words.chunk(first), at, other, other.words.chunk(first), at);
    }
  }

  /** What is not in the lines. */
  abstract void mergeNumbers(LineFilter other);

  /** The first level, from one on, whose lines hold so many lanes; or the last. */
  final int levelFor(int lanes, int from) {
    int level = from;
    while (level < shapes.length - 1 && shapes[level].count() < lanes) {
      level++;
    }
    return level;
  }

  /** Takes a hash into its line, which begins at a word of an array; whether it is admitted. */
  abstract boolean take(long[] line, int at, long mixed);

  /** Whether the line holds the hash. */
  abstract boolean holds(long[] line, int at, long mixed);

  /** How many lanes the header of a line says are in use. */
  abstract int lanesUsed(long[] line, int at);

  @Override
  final boolean admitAt(long[] at, int from) {
    long first = firstWord(at[from]);
    return take(words.chunk(first), Words.inChunk(first), at[from]);
  }

  @Override
  public final boolean mightContain(long hash) {
    long mixed = Mix.mix(hash);
    long first = firstWord(mixed);
    return holds(words.chunk(first), Words.inChunk(first), mixed);
  }

  @Override
  final void locate(long hash, long[] at, int from) {
    at[from] = Mix.mix(hash);
  }

  @Override
  final long touch(long mixed) {
    return words.get(firstWord(mixed)); // lines are cache lines: see Words
  }

  private long firstWord(long mixed) {
    return Mix.reduce(mixed, lines) * Lanes.WORDS;
  }

  /**
   * Makes room in a line whose lanes are all in use, by one level. So many of the last lanes stay
   * the last, and what is free lies before them.
   */
  final void narrow(long[] line, int at, int level, int last) {
    Lanes wide = shapes[level];
    Lanes narrow = shapes[level + 1];
    int count = wide.count();
    for (int i = 0; i < count; i++) {
      unpacked[i] = wide.get(line, at, i);
    }
    int room = narrow.count() - count;
    for (int i = 0; i < count; i++) {
      narrow.set(line, at, i < count - last ? i : i + room, unpacked[i]);
    }
    countUsed(level, -count);
    countUsed(level + 1, count);
  }

  /** Counts the lanes in use, line by line. */
  final long countLanes() {
    long sum = 0;
    for (long line = 0; line < lines; line++) {
      long first = line * Lanes.WORDS;
      sum += lanesUsed(words.chunk(first), Words.inChunk(first));
    }
    return sum;
  }

  /** Keeps count of the lanes in use. */
  final void countUsed(int level, int change) {
    used[level] += change;
  }

  /** The lanes in use, of those there are when all lines are at their narrowest. */
  @Override
  public final double load() {
    long sum = 0;
    for (long lanes : used) {
      sum += lanes;
    }
    return (double) sum / (lines * capacity);
  }

  @Override
  public final double estimatedFpr() {
    double sum = 0;
    for (int level = 0; level < shapes.length; level++) {
      sum += Narrowing.fpr((double) used[level] / lines, shapes[level].width());
    }
    return sum;
  }

  @Override
  public final long memoryBytes() {
    return words.length() * Long.BYTES;
  }
}
