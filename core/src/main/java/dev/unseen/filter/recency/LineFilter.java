package dev.unseen.filter.recency;

import dev.unseen.bits.Fingerprints;
import dev.unseen.bits.Lanes;
import dev.unseen.bits.StateVisitor;
import dev.unseen.bits.Words;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.hash.Mix;
import java.io.IOException;
import java.util.Arrays;

/**
 * What the filters over lines of fingerprints share. A hash belongs to one line of 512 bits, and
 * its fingerprint is in one of the line's lanes if it was seen: one access to memory per record.
 * The last word of a line has its header, which tells the level of the line and how many of its
 * lanes are in use.
 *
 * <p>A line narrows its fingerprints as it fills (see {@link Narrowing}): all lanes are cut to
 * their low bits, which makes room for more of them. That happens line by line, a few times in the
 * life of each, so there is no pause.
 */
abstract class LineFilter extends BatchingFilter {
  /** The word of a line that its header is in. */
  static final int HEADER_WORD = Lanes.WORDS - 1;

  /** What the lines look like. */
  final LineForm form;

  final long lines;
  final Words words;
  private final Fingerprints fingerprints;
  private final long[] used; // lanes in use, by level

  /** Room for a line while it changes its shape. */
  final long[] copy = new long[Lanes.WORDS];

  // The first words of the lines, and the fingerprints, of the hashes of a block.
  final long[] firstWords = new long[POSITIONS];
  final long[] prints = new long[POSITIONS];

  LineFilter(FilterSpec spec) {
    super(spec, POSITIONS);
    this.form = LineForm.of(spec);
    this.fingerprints = form.fingerprints();
    this.lines = spec.memoryBytes() * Byte.SIZE / Lanes.BITS;
    this.words = new Words(lines * Lanes.WORDS);
    this.used = new long[form.levels()];
  }

  /**
   * Takes a fingerprint into the line that begins at a word of an array; returns whether it is
   * admitted.
   */
  abstract boolean take(long[] line, int at, long fingerprint);

  /** Returns whether the line would hold the fingerprint at a time, or now if that is later. */
  abstract boolean holds(long[] line, int at, long fingerprint, long millis);

  /** Returns the level that a header tells. */
  abstract int level(long header);

  /** Returns how many lanes of its line are in use, as a header tells. */
  abstract int lanesUsed(long header);

  /** Joins a line of another filter into one of this filter. */
  abstract void mergeLine(long[] line, int at, long[] from, int fromAt);

  /** Joins what the other filter remembers beside its lines; called before the first line. */
  abstract void mergeNumbers(LineFilter other);

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

  private long firstWord(long mixed) {
    return Mix.reduce(mixed, lines) * Lanes.WORDS;
  }

  @Override
  protected final void admitBlock(long[] hashes, int offset, int from, int to, long[] fresh) {
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
    int i = 0;
    while (i < count) {
      long[] line = words.chunk(firstWords[i]);
      int at = Words.inChunk(firstWords[i]);
      if (isQuick(line[at + HEADER_WORD])) {
        i = takeQuick(i, count, from, fresh);
      } else {
        long bit = take(line, at, prints[i]) ? 1 : 0;
        fresh[(from + i) >>> 6] |= bit << (from + i);
        i++;
      }
    }
  }

  /** Returns whether {@link #takeQuick} can take in a hash whose line has this header. */
  boolean isQuick(long header) {
    return false;
  }

  /**
   * Takes in hashes of the block in a loop of their own, from one on, as long as their lines are
   * {@linkplain #isQuick quick}; returns the next hash, or {@code end}.
   */
  int takeQuick(int i, int end, int from, long[] fresh) {
    throw new IllegalStateException("no line is quick");
  }

  @Override
  public final void merge(BatchingFilter filter) {
    LineFilter other = (LineFilter) filter;
    mergeNumbers(other);
    Arrays.fill(used, 0);
    for (long line = 0; line < lines; line++) {
      long first = line * Lanes.WORDS;
      int at = Words.inChunk(first);
      mergeLine(words.chunk(first), at, other.words.chunk(first), at);
      long header = words.get(first + HEADER_WORD);
      used[level(header)] += lanesUsed(header);
    }
  }

  /** Shows the lanes in use and the lines. A filter that remembers more shows that first. */
  @Override
  public void state(StateVisitor visitor) throws IOException {
    for (int level = 0; level < used.length; level++) {
      used[level] = visitor.number("lanes in use", used[level], 0, lines * Narrowing.MAX_LANES);
    }
    visitor.words(words);
  }

  /** Counts the lanes in use of a line whose header has changed. */
  final void countLanes(long before, long after) {
    used[level(before)] -= lanesUsed(before);
    used[level(after)] += lanesUsed(after);
  }

  /** Returns the lanes in use, of those there are when all lines are at their narrowest. */
  @Override
  public final double load() {
    return load(used);
  }

  /** Returns what {@link #load} returns, counted line by line. */
  final double countLoad() {
    long[] counted = new long[used.length];
    for (long line = 0; line < lines; line++) {
      long header = words.get(line * Lanes.WORDS + HEADER_WORD);
      counted[level(header)] += lanesUsed(header);
    }
    return load(counted);
  }

  private double load(long[] lanesByLevel) {
    int shapes = form.shapes().length;
    long inOrder = Arrays.stream(lanesByLevel, 0, shapes).sum();
    long sorted = Arrays.stream(lanesByLevel, shapes, lanesByLevel.length).sum();
    double share = (double) inOrder / (lines * form.narrowest().count());
    return sorted == 0 ? share : share + (double) sorted / (lines * form.mostLanes(shapes));
  }

  /** Returns the lanes in use in lines of a level. */
  final long lanesUsedAt(int level) {
    return used[level];
  }

  @Override
  public final double estimatedFpr() {
    double sum = 0;
    for (int level = 0; level < used.length; level++) {
      sum += used[level] * fingerprints.chance(form.width(level));
    }
    return sum / lines;
  }

  /** A lane in use is a key. */
  @Override
  public final double estimatedCardinality() {
    return Arrays.stream(used).sum();
  }

  @Override
  public final long memoryBytes() {
    return words.length() * Long.BYTES;
  }
}
