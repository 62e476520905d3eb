package dev.unseen.filter.recency;

import dev.unseen.bits.StateVisitor;
import dev.unseen.bits.Words;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * RECENCY: fingerprints in lines of one cache line each, of which the least useful is pushed out.
 *
 * <pre>
 * for each element e, in its line:
 *   if e is not there, and the line is to have another form: sort it, or put it in order
 *   let the form of the line take e in: filling, full or sorted
 * </pre>
 *
 * A line is one of the {@link FillingLines} until no lane is free, and then one of the {@link
 * FullLines}: new keys and repeated ones are two queues there, and a {@link Target}, which follows
 * the stream, tells how many lanes each has.
 *
 * <p>Where the target is high, keys are popular, and their order is of little use. A full line then
 * becomes one of the {@link SortedLines} at its next new key, which makes room for more keys, and
 * is put back in order when the target has come down.
 */
final class RecencyFilter extends LineFilter {
  private final Target target;
  private final FillingLines filling;
  private final FullLines full;
  private final SortedLines sorted; // null if lines are never sorted
  private final int sortedLevel;
  private final boolean adapts;
  private long forgotten;

  RecencyFilter(FilterSpec spec) {
    super(spec);
    boolean maySort = form.sorted() != null;
    this.adapts = spec.refresh() == Refresh.ADAPTIVE;
    this.sortedLevel = form.shapes().length;
    this.target = new Target(form.narrowest().count(), lines, maySort);
    this.filling = new FillingLines(form.shapes(), spec.refresh(), copy);
    this.full = new FullLines(form.narrowest(), target, adapts);
    this.sorted = maySort ? new SortedLines(form.sorted(), sortedLevel, target, copy) : null;
  }

  @Override
  boolean take(long[] line, int at, long fingerprint) {
    long before = line[at + HEADER_WORD];
    if (isQuick(before)) {
      return takeFull(line, at, before, fingerprint);
    }
    if (changes(before, at) && !holds(line, at, fingerprint, Long.MIN_VALUE)) {
      change(line, at, before, fingerprint);
    } else if (!linesOf(before).take(line, at, before, fingerprint)) {
      return false;
    }
    long after = line[at + HEADER_WORD];
    countLanes(before, after);
    forgotten += lanesUsed(before) + 1 - lanesUsed(after);
    return true;
  }

  /** Returns whether a line is a full one, and no full line is to be sorted. */
  @Override
  boolean isQuick(long header) {
    return Lines.isFull(header) && !target.sorts();
  }

  private boolean takeFull(long[] line, int at, long header, long fingerprint) {
    if (full.take(line, at, header, fingerprint)) {
      forgotten++;
      return true;
    }
    return false;
  }

  /**
   * In the long run most lines are full. They have a loop of their own, since the compiler, which
   * comes early, leaves calls in what is rare by then, and would not come back to a loop for all.
   */
  @Override
  int takeQuick(int i, int end, int from, long[] fresh) {
    int next = i;
    do {
      long[] line = words.chunk(firstWords[next]);
      int at = Words.inChunk(firstWords[next]);
      long header = line[at + HEADER_WORD];
      if (!isQuick(header)) {
        return next;
      }
      if (takeFull(line, at, header, prints[next])) {
        fresh[(from + next) >>> 6] |= 1L << (from + next);
      }
    } while (++next < end);
    return next;
  }

  /** Returns whether a line is to have another form when the next new key comes. */
  private boolean changes(long header, int at) {
    return Lines.isFull(header) ? target.sorts(at) : isSorted(header) && !target.staysSorted();
  }

  private void change(long[] line, int at, long before, long fingerprint) {
    if (isSorted(before)) {
      sorted.putInOrder(line, at, form.narrowest(), filling);
    } else {
      sorted.sort(line, at, form.narrowest(), FullLines.repeated(before));
    }
    long header = line[at + HEADER_WORD];
    linesOf(header).add(line, at, header, fingerprint);
  }

  private Lines linesOf(long header) {
    return Lines.isFull(header) ? full : isSorted(header) ? sorted : filling;
  }

  private boolean isSorted(long header) {
    return Lines.level(header) == sortedLevel;
  }

  @Override
  boolean holds(long[] line, int at, long fingerprint, long millis) {
    long header = line[at + HEADER_WORD];
    return linesOf(header).holds(line, at, header, fingerprint);
  }

  /** Returns the level of a line; full lines have the last shape of filling ones. */
  @Override
  int level(long header) {
    return Lines.isFull(header) ? sortedLevel - 1 : Lines.level(header);
  }

  @Override
  int lanesUsed(long header) {
    return linesOf(header).lanesUsed(header);
  }

  @Override
  public OptionalLong forgotten() {
    return OptionalLong.of(forgotten);
  }

  @Override
  public OptionalDouble estimatedFnr() {
    return forgotten == 0 ? OptionalDouble.of(0) : OptionalDouble.empty();
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    target.state(visitor);
    forgotten = visitor.number("forgotten", forgotten, 0, Long.MAX_VALUE);
    super.state(visitor);
  }

  @Override
  void mergeNumbers(LineFilter filter) {
    RecencyFilter other = (RecencyFilter) filter;
    target.merge(other.target);
    forgotten += other.forgotten;
  }

  @Override
  void mergeLine(long[] line, int at, long[] from, int fromAt) {
    int level = Math.max(level(line[at + HEADER_WORD]), level(from[fromAt + HEADER_WORD]));
    LineMerge.Keys keys =
        new LineMerge(form, target, adapts).join(keys(line, at), keys(from, fromAt), level);
    if (level == sortedLevel) {
      sorted.write(line, at, keys.news(), keys.repeated());
    } else {
      filling.write(line, at, form.levelFor(keys.count(), level), keys.news(), keys.repeated());
    }
  }

  private LineMerge.Keys keys(long[] line, int at) {
    long header = line[at + HEADER_WORD];
    Lines lines = linesOf(header);
    return new LineMerge.Keys(
        lines.newKeys(line, at, header), lines.repeatedKeys(line, at, header));
  }
}
