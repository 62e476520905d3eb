package dev.unseen.filter.recency;

import dev.unseen.bits.Fingerprints;
import dev.unseen.bits.Lanes;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.Words;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the filters over lines of fingerprints. A hash belongs to two lines of 512
 * bits (see {@link LinePairs}), and its fingerprint is in a lane of one of them if it was seen. The
 * last word of a line contains its header, with the level of the line and the lanes in use.
 *
 * <p>A line narrows its fingerprints as it fills (see {@link LineForm}): all lanes are cut to their
 * low bits, which makes room for more of them. That happens line by line, a few times in the life
 * of each, so there is no pause.
 */
abstract class LineFilter extends BatchingFilter {
  static final int HEADER_WORD = Lanes.WORDS - 1;

  final LineForm form;

  final LinePairs pairs;

  /** The number of lines in which keys are stored. */
  final long lines;

  /** The lines, and whatever else a filter stores after them. */
  final Words words;

  final Fingerprints fingerprints;
  private final long[] used; // lanes in use, by level

  // The first word of a line, the distance to that of the other, and the fingerprint, of each hash
  // of a block.
  private final long[] firstWords = new long[POSITIONS];
  private final int[] toSecondWords = new int[POSITIONS];
  private final long[] prints = new long[POSITIONS];

  LineFilter(FilterSpec spec, long spare) {
    super(spec, POSITIONS);
    this.form = LineForm.of(spec);
    this.fingerprints = form.fingerprints();
    long all = spec.memoryBytes() * Byte.SIZE / Lanes.BITS;
    this.pairs = new LinePairs(all - spare);
    this.lines = pairs.lines();
    this.words = new Words(all * Lanes.WORDS);
    this.used = new long[form.levels()];
  }

  /** What {@link #take} returns for a duplicate. Otherwise some of these bits are set. */
  static final int SEEN = 0;

  static final int ADMITTED = 1;

  static final int LATE = 2;

  /**
   * Checks a fingerprint against both lines of its key, given their first words, and adds it to one
   * of them if it is new. Returns the verdict.
   */
  abstract int take(long first, long second, long fingerprint, long millis);

  /** Returns whether a line contains a fingerprint, for a record of this time. */
  abstract boolean holds(long[] line, int at, long fingerprint, long millis);

  abstract int level(long header);

  abstract int lanesUsed(long header);

  /** Merges a page of another filter into the same page of this filter. */
  abstract void mergePage(long page, int places, LineFilter other);

  /** Merges what the other filter keeps outside its lines, before the first page is merged. */
  abstract void mergeNumbers(LineFilter other);

  @Override
  public final boolean admit(long hash, long millis) {
    long mixed = Mix.mix(hash);
    long fingerprint = fingerprints.of(mixed);
    long first = firstWord(mixed);
    return (take(first, secondWord(first, fingerprint), fingerprint, millis) & ADMITTED) != 0;
  }

  @Override
  public final boolean mightContain(long hash, long millis) {
    long mixed = Mix.mix(hash);
    long fingerprint = fingerprints.of(mixed);
    long first = firstWord(mixed);
    return holds(words.chunk(first), Words.inChunk(first), fingerprint, millis)
        || holdsSecond(first, fingerprint, millis);
  }

  private boolean holdsSecond(long first, long fingerprint, long millis) {
    long second = secondWord(first, fingerprint);
    return holds(words.chunk(second), Words.inChunk(second), fingerprint, millis);
  }

  final long firstWord(long mixed) {
    return Mix.reduce(mixed, lines) * Lanes.WORDS;
  }

  final long secondWord(long first, long fingerprint) {
    return pairs.partner(first / Lanes.WORDS, fingerprint) * Lanes.WORDS;
  }

  @Override
  public final long readAhead(long hash) {
    long mixed = Mix.mix(hash);
    long first = firstWord(mixed);
    long second = secondWord(first, fingerprints.of(mixed));
    // Both ends of each line, because it may lie in two cache lines: see Words.
    return words.get(first)
        + words.get(first + HEADER_WORD)
        + words.get(second)
        + words.get(second + HEADER_WORD);
  }

  @Override
  protected final void touchBlock(long[] hashes, int offset, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += readAhead(hashes[offset + i]);
    }
    touched(sum);
  }

  @Override
  protected final void admitBlock(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int from,
      int to,
      long[] fresh,
      long @Nullable [] late) {
    int count = to - from;
    for (int i = 0; i < count; i++) {
      long mixed = Mix.mix(hashes[offset + i]);
      long line = Mix.reduce(mixed, lines);
      long fingerprint = fingerprints.of(mixed);
      firstWords[i] = line * Lanes.WORDS;
      toSecondWords[i] = (int) (pairs.partner(line, fingerprint) - line) * Lanes.WORDS;
      prints[i] = fingerprint;
    }
    // This loop only reads: the closer the reads follow each other, the more of them wait together.
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += words.get(firstWords[i]) + words.get(secondWord(i));
    }
    touched(sum);
    int next = 0;
    while (next < count) {
      next = takeFull(next, count, from, fresh);
      if (next < count) {
        long time = timeOf(millis, offset + next);
        long verdict = take(firstWords[next], secondWord(next), prints[next], time);
        fresh[(from + next) >>> 6] |= (verdict & ADMITTED) << (from + next);
        if (late != null) {
          late[(from + next) >>> 6] |= (verdict / LATE) << (from + next);
        }
        next++;
      }
    }
  }

  private long secondWord(int inBlock) {
    return firstWords[inBlock] + toSecondWords[inBlock];
  }

  /**
   * Checks hashes of the block as long as both of their lines are full. Returns the first that is
   * not.
   *
   * <p>In the long run most lines are full. They have their own loop, because the compiler runs
   * early, while they are rare, and would not recompile one loop for all lines.
   */
  private int takeFull(int begin, int end, int from, long[] fresh) {
    int i = begin;
    while (i < end && areFull(firstWords[i], secondWord(i))) {
      long bit = takeFull(firstWords[i], secondWord(i), prints[i]) ? 1 : 0;
      fresh[(from + i) >>> 6] |= bit << (from + i);
      i++;
    }
    return i;
  }

  /** Returns whether {@link #takeFull(long, long, long)} may be called. */
  boolean areFull(long first, long second) {
    return false;
  }

  /** Does the same as {@link #take} for two full lines. Returns whether the hash is admitted. */
  boolean takeFull(long first, long second, long fingerprint) {
    throw new IllegalStateException("no line is full");
  }

  @Override
  public final void merge(BatchingFilter filter) {
    LineFilter other = (LineFilter) filter;
    mergeNumbers(other);
    long page = 0;
    while (page < lines) {
      int places = pairs.linesOf(page);
      mergePage(page, places, other);
      page += places;
    }
    Arrays.fill(used, 0);
    for (long line = 0; line < lines; line++) {
      long header = words.get(line * Lanes.WORDS + HEADER_WORD);
      used[level(header)] += lanesUsed(header);
    }
  }

  /** Visits the lanes in use and the lines. A filter with more state visits that first. */
  @Override
  public void state(StateVisitor visitor) throws IOException {
    for (int level = 0; level < used.length; level++) {
      used[level] = visitor.number("lanes in use", used[level], 0, lines * LineForm.MAX_LANES);
    }
    visitor.words(words, new LineCheck(this));
  }

  /** Rejects a line that the filter could never have written. */
  abstract void checkLine(long[] line, int at);

  /** Rejects numbers that contradict each other. */
  void checkNumbers() {}

  /** Counts lanes in use that a line of this level has gained or lost. */
  final void countLanes(int level, int change) {
    used[level] += change;
  }

  /** Returns the lanes in use as a share of those when all lines are at their narrowest. */
  @Override
  public final double load() {
    return load(used);
  }

  /** Returns the same as {@link #load}, counted line by line. */
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

  final long lanesUsedAt(int level) {
    return used[level];
  }

  /** Returns the chance that a new key equals one of the keys in its two lines. */
  @Override
  public final double estimatedFpr() {
    double sum = 0;
    for (int level = 0; level < used.length; level++) {
      sum += used[level] * fingerprints.chance(form.width(level));
    }
    return Math.min(2, lines) * sum / lines;
  }

  /** Returns the number of lanes in use, because each contains one key. */
  @Override
  public final double estimatedCardinality() {
    return Arrays.stream(used).sum();
  }

  @Override
  public final long memoryBytes() {
    return words.length() * Long.BYTES;
  }
}
