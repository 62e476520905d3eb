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
 * The common part of the filters over lines of fingerprints. A hash belongs to one line of 512
 * bits, and its fingerprint is in one of the line's lanes if it was seen: one access to memory per
 * record. The last word of a line contains its header, with the level of the line and the number of
 * lanes in use.
 *
 * <p>A line narrows its fingerprints as it fills (see {@link Narrowing}): all lanes are cut to
 * their low bits, which makes room for more of them. That happens line by line, a few times in the
 * life of each, so there is no pause.
 */
abstract class LineFilter extends BatchingFilter {
  /** The word of a line that contains its header. */
  static final int HEADER_WORD = Lanes.WORDS - 1;

  /** The shapes of the lines. */
  final LineForm form;

  /** The number of lines, without twins. */
  final long lines;

  /** The lines, and the twins of some of them behind. */
  final Words words;

  private final Fingerprints fingerprints;
  private final long[] used; // lanes in use, by level

  // A line is watched if these bits of its first word's index are 0 and there are twins.
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
   * Checks a fingerprint against the line that begins at a word of an array, and adds it. Returns
   * whether it is admitted.
   */
  abstract boolean take(long[] line, int at, long fingerprint);

  /**
   * Checks a fingerprint against its watched line and the twin of the line, and adds it to both.
   * Returns whether it is admitted.
   */
  boolean takeWatched(long first, long fingerprint) {
    throw new IllegalStateException("no line is watched");
  }

  /**
   * Returns whether the line would contain the fingerprint at this time, or now if that is later.
   */
  abstract boolean holds(long[] line, int at, long fingerprint, long millis);

  /** Returns the level in a header. */
  abstract int level(long header);

  /** Returns the number of lanes in use according to a header. */
  abstract int lanesUsed(long header);

  /** Merges a line of another filter into a line of this filter. */
  abstract void mergeLine(long[] line, int at, long[] from, int fromAt);

  /**
   * Merges what the other filter remembers beside its lines. This is called before the first line
   * is merged.
   */
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
  public final long readAhead(long hash) {
    long first = firstWord(Mix.mix(hash));
    return words.get(first)
        + words.get(first + HEADER_WORD); // see Words: it may be two cache lines
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
    // This loop only reads: the closer the reads follow each other, the more of them wait together.
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

  /** Checks the hashes of a block in which some lines are watched. */
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

  /** Checks hashes of the block whose lines are not watched. */
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
   * Checks hashes of the block as long as their lines are full. Returns the first hash whose line
   * is not full, or {@code end}.
   *
   * <p>In the long run most lines are full. They have their own loop, because the compiler runs
   * early, while full lines are still rare, and leaves calls in rare paths; it would not recompile
   * one loop for all lines.
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

  /**
   * Returns whether a line is full. Always false in a filter without a separate path for full
   * lines.
   */
  boolean isFull(long header) {
    return false;
  }

  /** Does the same as {@link #take} for a full line. */
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

  /** Visits the lanes in use and the lines. A filter with more state visits that first. */
  @Override
  public void state(StateVisitor visitor) throws IOException {
    for (int level = 0; level < used.length; level++) {
      used[level] = visitor.number("lanes in use", used[level], 0, lines * Narrowing.MAX_LANES);
    }
    visitor.words(words, new LineCheck(this));
  }

  /**
   * Refuses a line that the filter could never have written.
   *
   * @throws IllegalArgumentException with the reason
   */
  abstract void checkLine(long[] line, int at);

  /**
   * Refuses numbers that contradict each other.
   *
   * @throws IllegalArgumentException with the reason
   */
  void checkNumbers() {}

  /** Counts lanes in use that a line of this level has gained or lost. */
  final void countLanes(int level, int change) {
    used[level] += change;
  }

  /**
   * Returns the lanes in use as a share of all lanes that there are when all lines are at their
   * narrowest.
   */
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

  /** Returns the number of lanes in use in lines of this level. */
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
