package dev.unseen.filter;

import dev.unseen.bits.Fingerprints;
import dev.unseen.bits.Lanes;
import dev.unseen.bits.StateVisitor;
import dev.unseen.bits.Words;
import dev.unseen.hash.Mix;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * What the filters over lines of fingerprints share. A hash belongs to one line of 512 bits, and
 * its fingerprint is in one of the line's lanes if it was seen: one access to memory per record.
 *
 * <p>A line narrows its fingerprints as it fills (see {@link Narrowing}): all lanes are cut to
 * their low bits, which makes room for more of them. That happens line by line, a few times in the
 * life of each, so there is no pause.
 */
abstract class LineFilter extends BatchingFilter {
  /** What the lines look like. */
  final LineForm form;

  /** The shapes of a line by its level, the widest lanes first. */
  final Lanes[] shapes;

  /** The most lanes of a line in order. */
  final int capacity;

  /** What the lanes hold of a hash. */
  final Fingerprints fingerprints;

  final long lines;
  final Words words;
  private final long[] used; // lanes in use, by level; the last may be that of sorted lines
  private final long[] other = new long[Lanes.WORDS]; // a line while it changes its shape
  private final int sortedCapacity;

  // Of the hashes of a block.
  final long[] firstWords = new long[POSITIONS];
  final long[] prints = new long[POSITIONS];

  LineFilter(FilterSpec spec, LineForm form) {
    super(spec, POSITIONS);
    this.form = form;
    this.shapes = form.shapes();
    this.fingerprints = form.fingerprints();
    this.capacity = shapes[shapes.length - 1].count();
    this.sortedCapacity = form.sorted() == null ? 0 : form.sorted().capacity();
    this.lines = spec.lines();
    this.words = new Words(lines * Lanes.WORDS);
    this.used = new long[shapes.length + (sortedCapacity > 0 ? 1 : 0)];
  }

  /** A filter that remembers more shows that first. */
  @Override
  public void state(StateVisitor visitor) throws IOException {
    for (int level = 0; level < used.length; level++) {
      used[level] = visitor.number("lanes in use", used[level], 0, lines * Narrowing.MAX_LANES);
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

  /**
   * Takes a fingerprint into its line, which begins at a word of an array; whether it is admitted.
   */
  abstract boolean take(long[] line, int at, long fingerprint);

  /** Whether a line is full, in a filter that has a way of its own for those. */
  boolean isFull(long[] line, int at) {
    return false;
  }

  /**
   * Takes in the hashes of the block from one on, whose line is full, as long as their lines are;
   * the next one, or {@code end}.
   */
  int takeFull(int i, int end, int from, long[] fresh) {
    throw new IllegalStateException("no line is full");
  }

  /** Whether the line would hold the fingerprint at a time, or now if that is later. */
  abstract boolean holds(long[] line, int at, long fingerprint, long millis);

  /** How many lanes the header of a line says are in use. */
  abstract int lanesUsed(long[] line, int at);

  /** Whether a line is sorted. */
  boolean isSorted(long[] line, int at) {
    return false;
  }

  @Override
  public final boolean admit(long hash) {
    long mixed = Mix.mix(hash);
    long first = firstWord(mixed);
    return take(words.chunk(first), Words.inChunk(first), fingerprints.of(mixed));
  }

  @Override
  public final boolean mightContain(long hash) {
    return mightContain(hash, Long.MIN_VALUE);
  }

  @Override
  public final boolean mightContain(long hash, long millis) {
    long mixed = Mix.mix(hash);
    long first = firstWord(mixed);
    return holds(words.chunk(first), Words.inChunk(first), fingerprints.of(mixed), millis);
  }

  @Override
  final void admitBlock(long[] hashes, int offset, int from, int to, long[] fresh) {
    int count = to - from;
    for (int i = 0; i < count; i++) {
      long mixed = Mix.mix(hashes[offset + i]);
      firstWords[i] = firstWord(mixed);
      prints[i] = fingerprints.of(mixed);
    }
    // Nothing but reads: the closer they follow each other, the more of them wait together.
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += words.get(firstWords[i]); // lines are cache lines: see Words
    }
    touched(sum);
    // In the long run most lines are full. They have a loop of their own, since the compiler, which
    // comes early, leaves calls in what is rare by then, and would not come back to this one.
    int i = 0;
    while (i < count) {
      long[] line = words.chunk(firstWords[i]);
      int at = Words.inChunk(firstWords[i]);
      if (isFull(line, at)) {
        i = takeFull(i, count, from, fresh);
      } else {
        long bit = take(line, at, prints[i]) ? 1 : 0;
        fresh[(from + i) >>> 6] |= bit << (from + i);
        i++;
      }
    }
  }

  private long firstWord(long mixed) {
    return Mix.reduce(mixed, lines) * Lanes.WORDS;
  }

  /** The line as it is now, until the next call. */
  final long[] copy(long[] line, int at) {
    System.arraycopy(line, at, other, 0, Lanes.WORDS);
    return other;
  }

  /**
   * Makes room in a line whose lanes are all in use, by one level. So many of the last lanes stay
   * the last, and what is free lies before them.
   */
  final void narrow(long[] line, int at, int level, int last) {
    Lanes wide = shapes[level];
    Lanes narrow = shapes[level + 1];
    int count = wide.count();
    long[] wider = copy(line, at);
    for (int i = 0; i < count; i++) {
      int lane = i < count - last ? i : i + narrow.count() - count;
      narrow.set(line, at, lane, wide.get(wider, 0, i));
    }
    countUsed(level, -count);
    countUsed(level + 1, count);
  }

  /** The load, counted line by line. */
  final double countLoad() {
    long inOrder = 0;
    long sorted = 0;
    for (long line = 0; line < lines; line++) {
      long first = line * Lanes.WORDS;
      int lanes = lanesUsed(words.chunk(first), Words.inChunk(first));
      if (isSorted(words.chunk(first), Words.inChunk(first))) {
        sorted += lanes;
      } else {
        inOrder += lanes;
      }
    }
    return load(inOrder, sorted);
  }

  /** Keeps count of the lanes in use. */
  final void countUsed(int level, int change) {
    used[level] += change;
  }

  /** The lanes in use, of those there are when all lines are at their narrowest. */
  @Override
  public final double load() {
    long inOrder = 0;
    for (int level = 0; level < shapes.length; level++) {
      inOrder += used[level];
    }
    return load(inOrder, sortedLanesUsed());
  }

  private double load(long inOrder, long sorted) {
    double share = (double) inOrder / (lines * capacity);
    return sorted == 0 ? share : share + (double) sorted / (lines * sortedCapacity);
  }

  /** The lanes in use in sorted lines. */
  final long sortedLanesUsed() {
    return sortedCapacity == 0 ? 0 : used[shapes.length];
  }

  @Override
  public final double estimatedFpr() {
    double sum = 0;
    for (int level = 0; level < used.length; level++) {
      boolean inOrder = level < shapes.length;
      sum +=
          used[level] * fingerprints.chance(inOrder ? shapes[level].width() : fingerprints.bits());
    }
    return sum / lines;
  }

  /** A lane in use is a key. */
  @Override
  public final double estimatedCardinality() {
    return LongStream.of(used).sum();
  }

  @Override
  public final long memoryBytes() {
    return words.length() * Long.BYTES;
  }
}
