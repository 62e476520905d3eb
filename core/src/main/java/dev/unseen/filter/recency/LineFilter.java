package dev.unseen.filter.recency;

import dev.unseen.bits.Fingerprints;
import dev.unseen.bits.Lanes;
import dev.unseen.bits.Words;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.hash.Mix;
import dev.unseen.state.StateVisitor;
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

  /** The lines that hold what the filter knows. */
  final long lines;

  /** The lines, and twins of some behind them. */
  final Words words;

  private final Fingerprints fingerprints;
  private final long[] used; // lanes in use, by level

  // A line is watched if these bits of its first word are 0, and there are any twins.
  private final long watchMask;
  private final long watchedBits;

  // The first words of the lines, and the fingerprints, of the hashes of a block.
  private final long[] firstWords = new long[POSITIONS];
  private final long[] prints = new long[POSITIONS];

  /**
   * Creates an empty filter.
   *
   * @param twins whether some lines are watched
   */
  LineFilter(FilterSpec spec, boolean twins) {
    super(spec, POSITIONS);
    this.form = LineForm.of(spec);
    this.fingerprints = form.fingerprints();
    long all = spec.memoryBytes() * Byte.SIZE / Lanes.BITS;
    this.lines = all - (twins ? Twins.count(all) : 0);
    this.words = new Words(all * Lanes.WORDS);
    this.watchMask = lines == all ? 0 : Twins.mask(all);
    this.watchedBits = lines == all ? 1 : 0;
    this.used = new long[form.levels()];
  }

  /**
   * Takes a fingerprint into the line that begins at a word of an array; returns whether it is
   * admitted.
   */
  abstract boolean take(long[] line, int at, long fingerprint);

  /** Takes a fingerprint into its line, which is watched and begins at a word, and its twin. */
  boolean takeWatched(long first, long fingerprint) {
    throw new IllegalStateException("no line is watched");
  }

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
    long fingerprint = fingerprints.of(mixed);
    if (isWatched(first)) {
      return takeWatched(first, fingerprint);
    }
    return take(words.chunk(first), Words.inChunk(first), fingerprint);
  }

  private boolean isWatched(long first) {
    return (first & watchMask) == watchedBits;
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
    long others = -1; // below 0 as long as no line is watched
    for (int i = 0; i < count; i++) {
      long mixed = Mix.mix(hashes[offset + i]);
      long first = firstWord(mixed);
      firstWords[i] = first;
      prints[i] = fingerprints.of(mixed);
      long difference = (first & watchMask) ^ watchedBits;
      others &= difference | -difference;
    }
    // Nothing but reads: the closer they follow each other, the more of them wait together.
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += words.get(firstWords[i]); // lines are cache lines: see Words
    }
    touched(sum);
    if (others < 0) {
      takeAll(0, count, from, fresh);
    } else {
      takeWatched(count, from, fresh);
    }
  }

  /** Takes in the hashes of a block in which lines are watched. */
  private void takeWatched(int count, int from, long[] fresh) {
    int next = 0;
    while (next < count) {
      int watched = next;
      while (watched < count && !isWatched(firstWords[watched])) {
        watched++;
      }
      takeAll(next, watched, from, fresh);
      if (watched < count && takeWatched(firstWords[watched], prints[watched])) {
        fresh[(from + watched) >>> 6] |= 1L << (from + watched);
      }
      next = watched + 1;
    }
  }

  /** Takes in hashes of the block whose lines are not watched. */
  private void takeAll(int begin, int end, int from, long[] fresh) {
    int i = begin;
    while (i < end) {
      long[] line = words.chunk(firstWords[i]);
      int at = Words.inChunk(firstWords[i]);
      if (isFull(line[at + HEADER_WORD])) {
        i = takeFullLines(i, end, from, fresh);
      } else {
        long bit = take(line, at, prints[i]) ? 1 : 0;
        fresh[(from + i) >>> 6] |= bit << (from + i);
        i++;
      }
    }
  }

  /**
   * Takes in hashes of the block, from one on, as long as their lines are full; returns the first
   * whose line is not, or {@code end}.
   *
   * <p>In the long run most lines are full. They have a loop of their own, since the compiler,
   * which comes early, leaves calls in what is rare by then, and would not come back to a loop for
   * all.
   */
  private int takeFullLines(int i, int end, int from, long[] fresh) {
    int next = i;
    do {
      long[] line = words.chunk(firstWords[next]);
      int at = Words.inChunk(firstWords[next]);
      long header = line[at + HEADER_WORD];
      if (!isFull(header)) {
        return next;
      }
      if (takeFull(line, at, header, prints[next])) {
        fresh[(from + next) >>> 6] |= 1L << (from + next);
      }
    } while (++next < end);
    return next;
  }

  /** Returns whether a line is full, in a filter that has a way of its own for full lines. */
  boolean isFull(long header) {
    return false;
  }

  /** Does what {@link #take} does, for a full line. */
  boolean takeFull(long[] line, int at, long header, long fingerprint) {
    throw new IllegalStateException("no line is full");
  }

  @Override
  public final void merge(BatchingFilter filter) {
    LineFilter other = (LineFilter) filter;
    mergeNumbers(other);
    Arrays.fill(used, 0);
    for (long first = 0; first < words.length(); first += Lanes.WORDS) {
      int at = Words.inChunk(first);
      mergeLine(words.chunk(first), at, other.words.chunk(first), at);
      if (first < lines * Lanes.WORDS) {
        long header = words.get(first + HEADER_WORD);
        used[level(header)] += lanesUsed(header);
      }
    }
  }

  /** Shows the lanes in use and the lines. A filter that remembers more shows that first. */
  @Override
  public void state(StateVisitor visitor) throws IOException {
    for (int level = 0; level < used.length; level++) {
      used[level] = visitor.number("lanes in use", used[level], 0, lines * Narrowing.MAX_LANES);
    }
    visitor.words(words, new LineCheck(this));
  }

  /**
   * Refuses a line that is read and that the filter could never have written.
   *
   * @throws IllegalArgumentException that tells what is wrong
   */
  abstract void checkLine(long[] line, int at);

  /**
   * Refuses numbers that are read and that do not agree with each other.
   *
   * @throws IllegalArgumentException that tells what is wrong
   */
  void checkNumbers() {}

  /** Counts lanes in use that a line of a level has gained, or lost. */
  final void countLanes(int level, int change) {
    used[level] += change;
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
